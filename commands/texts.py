"""What people read, in English and in Traditional Chinese. Keys of JSON and codes of errors are English always."""

import os
from collections.abc import Mapping
from typing import Literal

Language = Literal["en", "zh-TW"]

_TEXTS: Mapping[str, tuple[str, str]] = {
    "tenant_added": ("tenant {tenant_id} added (time zone {time_zone}), operator {operator}",
                     "已新增租戶 {tenant_id}（時區 {time_zone}），操作員 {operator}"),
    "tenant_there": ("tenant {tenant_id} is there already (time zone {time_zone})",
                     "租戶 {tenant_id} 已存在（時區 {time_zone}）"),
    "principal_added": ("{subject} added: roles {roles}; groups {groups}",
                        "已新增 {subject}：角色 {roles}；群組 {groups}"),
    "principal_set": ("{subject} is now {active}: roles {roles}; groups {groups}",
                      "{subject} 目前{active}：角色 {roles}；群組 {groups}"),
    "active": ("active", "啟用"),
    "inactive": ("inactive", "停用"),
    "policy_is": ("policy version {version}", "政策版本 {version}"),
    "policy_default": ("no policy was set: the default holds", "尚未設定政策：採用預設值"),
    "document_is": ("{document_id} version {version} is {status}", "{document_id} 第 {version} 版：{status}"),
    "effective": ("effective {start} to {end}", "生效期間 {start} 至 {end}"),
    "open_end": ("open end", "未定"),
    "nobody_reads": ("no group may read it: nobody will find it", "未指定可讀取的群組：沒有人找得到這份文件"),
    "none": ("none", "無"),
    "no_documents": ("no documents", "沒有文件"),
    "no_hits": ("nothing found", "查無資料"),
    "indexing": ("indexing", "建立索引"),
    "more": ("more: --after {after}", "還有更多：--after {after}"),
    "draft": ("draft", "草稿"),
    "submitted": ("submitted", "已送審"),
    "approved": ("approved", "已核准"),
    "published": ("published", "已發布"),
    "withdrawn": ("withdrawn", "已撤回"),
    "formal_fact": ("formal fact", "正式資料"),
    "historical_event": ("historical event", "歷史紀錄"),
    "inference": ("inference", "推論（未經確認）"),
    "column_document": ("document", "文件"),
    "column_version": ("version", "版本"),
    "column_kind": ("kind", "類別"),
    "column_status": ("status", "狀態"),
    "column_title": ("title", "標題"),
    "column_groups": ("groups", "群組"),
    "column_effective": ("effective", "生效期間"),
    "page": ("page {page}", "第 {page} 頁"),
    "characters": ("characters {start}-{end}", "字元 {start}-{end}"),
    "task_is": ("{task_id} is {status} (revision {revision}, draft {decision_version})",
                "{task_id}：{status}（修訂 {revision}，草稿 {decision_version}）"),
    "decided": ("{verdict} of draft {decision_version} of {task_id} by {actor} is stored ({decision_id})",
                "已儲存：{actor} 對 {task_id} 草稿 {decision_version} 的決定為 {verdict}（{decision_id}）"),
    "taken_over": ("{task_id}: {choice} by {actor} is stored ({takeover_id})",
                   "已儲存：{actor} 接手 {task_id}，選擇 {choice}（{takeover_id}）"),
    "no_tasks": ("no tasks", "沒有任務"),
    "column_task": ("task", "任務"),
    "column_waits_for": ("waits for", "待補"),
    "column_draft": ("draft", "草稿"),
    "column_starter": ("started by", "發起人"),
    "column_changed": ("changed (UTC)", "更新時間（UTC）"),
    "task_head": ("Task {task_id}: {status} (revision {revision}, draft {decision_version}, started by {starter})",
                  "任務 {task_id}：{status}（修訂 {revision}，草稿 {decision_version}，發起人 {starter}）"),
    "field_line": ("  {field}: {value}  <- {source}", "  {field}：{value}  ← {source}"),
    "pending_line": ("  still needed: {fields}", "  尚待提供：{fields}"),
    "conflict_line": ("  in conflict: {field}: {values}", "  互相矛盾：{field}：{values}"),
    "blocked_line": ("  blocked: {reason}; to go on: proofdesk task takeover {task_id} {choices}",
                     "  受阻：{reason}；處理方式：proofdesk task takeover {task_id} {choices}"),
    "yes": ("yes", "是"),
    "no": ("no", "否"),
    "status_created": ("created", "已建立（created）"),
    "status_restoring": ("restoring", "讀取中（restoring）"),
    "status_retrieving": ("retrieving", "檢索中（retrieving）"),
    "status_analyzing": ("analyzing", "分析中（analyzing）"),
    "status_reviewing": ("reviewing", "複核中（reviewing）"),
    "status_awaiting_approval": ("awaiting_approval", "待核准（awaiting_approval）"),
    "status_completed": ("completed", "已完成（completed）"),
    "status_waiting_input": ("waiting_input", "待補資料（waiting_input）"),
    "status_retrying": ("retrying", "重試中（retrying）"),
    "status_blocked": ("blocked", "受阻（blocked）"),
    "status_failed": ("failed", "失敗（failed）"),
    "status_cancelled": ("cancelled", "已取消（cancelled）"),
    "missing_line": ("  nothing found on: {topics}", "  查無資料：{topics}"),
    "side_line": ("  {document_id} v{version}: {quote}", "  {document_id} 第 {version} 版：「{quote}」"),
    "timeline_head": ("Timeline (UTC)", "時間軸（UTC）"),
    "draft_head": ("Draft {decision_version}, content hash {content_hash}",
                   "草稿 {decision_version}，內容雜湊 {content_hash}"),
    "draft_void": ("  no longer to be decided on: {reason}", "  已不能決定：{reason}"),
    "draft_withheld": ("  withheld: you may not read every source", "  未顯示：您無權閱讀全部來源"),
    "claim_line": ("  * {text}", "  ・{text}"),
    "citation_line": ("      [{document_id} v{version}, {place}] \"{quote}\" ({checks})",
                      "      〔{document_id} 第 {version} 版，{place}〕「{quote}」（{checks}）"),
    "checks_passed": ("checks passed", "核對無誤"),
    "checks_failed": ("failed: {names}", "未通過：{names}"),
    "awaiting_head": ("To be confirmed", "待確認事項"),
    "awaiting_line": ("  {topic}: ask {ask_whom}", "  {topic}：請 {ask_whom} 確認"),
    "history_head": ("History, for comparison only", "歷史紀錄，僅供比較"),
    "flags_head": ("Flags", "注意事項"),
    "flag_line": ("  {flag}: {document_id} v{version}", "  {flag}：{document_id} 第 {version} 版"),
    "part": ("part {part}", "郵件部分 {part}"),
    "starting_worker": ("starting a worker on a stack of this command's own", "正在為本次指令啟動暫時環境與工作程序"),
    "running_cases": ("cases", "案例"),
    "reading_lines": ("messages", "訊息"),
    "rfq_read": ("{read} of {files} documents read, {refused} refused",
                 "{files} 份文件：讀取 {read} 份，拒收 {refused} 份"),
    "rfq_refused": ("  refused {file} ({reason}): {message}", "  拒收 {file}（{reason}）：{message}"),
    "figure_line": ("  {name}: {value}", "  {name}：{value}"),
    "case_failed": ("  FAILED {case_id}: {why}", "  未通過 {case_id}：{why}"),
    "cases_passed": ("{passed} of {cases} cases passed", "{cases} 個案例中通過 {passed} 個"),
    "starting": ("starting PostgreSQL, Temporal and a worker in {folder}",
                 "正在啟動 PostgreSQL、Temporal 與工作程序（{folder}）"),
    "phase_documents": ("documents", "文件"),
    "phase_queries": ("queries", "查詢"),
    "phase_locators": ("reading back", "重新讀取"),
    "up": ("Temporal {temporal_address}, its UI {ui}, data {data_folder}; Ctrl-C stops everything",
           "Temporal {temporal_address}，介面 {ui}，資料 {data_folder}；按 Ctrl-C 停止"),
    "stopped": ("stopped", "已停止"),
    "worker_ended": ("the worker ended, starting another; see {log}", "工作程序結束，正在重新啟動；請見 {log}"),
    "column_check": ("check", "檢查項目"),
    "column_detail": ("detail", "說明"),
    "column_mend": ("what to do", "處理方式"),
    "outcome_ok": ("ok", "正常"),
    "outcome_warning": ("warning", "注意"),
    "outcome_fault": ("fault", "異常"),
    "demo_stack": ("starting PostgreSQL, Temporal and a worker (a few seconds)",
                   "正在啟動 PostgreSQL、Temporal 與工作程序（需數秒）"),
    "demo_tenant": ("tenant {tenant_id} with its people", "建立租戶 {tenant_id} 與其人員"),
    "demo_document": ("document {document_id} version {version} from {file}",
                      "文件 {document_id} 第 {version} 版，來自 {file}"),
    "demo_day_one": ("day 1: the customer's mail {file}", "第 1 天：客戶來信 {file}"),
    "demo_day_two": ("day 2: {text}", "第 2 天：{text}"),
    "demo_decide": ("the approver decides on draft {decision_version}", "核准人對草稿 {decision_version} 作出決定"),
    "measuring": ("measuring: {name}", "量測中：{name}"),
    "column_figure": ("figure", "量測項目"),
    "column_value": ("Proofdesk", "Proofdesk"),
    "column_baseline": ("baseline", "基準"),
    "column_baseline_value": ("baseline's value", "基準值"),
    "column_ratio": ("ratio", "比值"),
    "audit_intact": ("the audit is intact: {rows} rows under {seals} seals, {unsealed} not sealed yet",
                     "稽核紀錄完整：{seals} 次封存共 {rows} 筆，尚未封存 {unsealed} 筆"),
    "audit_broken": ("the audit was changed: {faults} faults in {rows} rows under {seals} seals",
                     "稽核紀錄遭變更：{seals} 次封存共 {rows} 筆，發現 {faults} 處異常"),
    "audit_fault_line": ("  {fault}: {detail}", "  {fault}：{detail}"),
    "budget_is": ("budget of a day: {limit} tokens; {day} turns at {turns} UTC",
                  "每日額度：{limit}（token）；{day} 於 {turns}（UTC）結束"),
    "budget_used": ("  used {used}, reserved {reserved}, left {left}", "  已用 {used}，保留中 {reserved}，剩餘 {left}"),
    "budget_calls": ("  calls {calls}, refused {refused}", "  呼叫 {calls} 次，拒絕 {refused} 次"),
    "budget_unlimited": ("unlimited", "不限"),
    "temporary_stack": (
        "no running stack was found: a temporary one was used and is gone with its data (start one with `make up`)",
        "找不到執行中的服務：本次使用暫時環境，資料不會保留（請先執行 make up）",
    ),
}  # fmt: skip
_REFUSALS: Mapping[str, str] = {
    "invalid_input": "輸入內容不符合要求，未做任何變更。",
    "invalid_field": "欄位值不符合要求，未做任何變更。",
    "not_found": "查無此項目（或不屬於您）。",
    "refused": "您沒有執行此動作的權限。",
    "four_eyes": "四眼原則：參與者不得自行核准。",
    "conflict": "與目前儲存的內容不一致，未做任何變更。",
    "unreadable_document": "無法讀取此檔案，未做任何變更。",
    "store_unavailable": "目前無法連線資料庫，請稍後再試。",
    "store_busy": "資料庫忙碌，未做任何變更，請再試一次。",
}


class Texts:
    """The catalogue in one language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self._place = 0 if language == "en" else 1

    def __call__(self, key: str, **values: object) -> str:
        """The text of `key` with its values; a key that is none shows itself."""
        pair = _TEXTS.get(key)
        return key if pair is None else pair[self._place].format(**values)

    def refusal(self, code: str) -> str:
        """What a code of an error means, in addition to its message; empty in English, where the message says it."""
        return "" if self.language == "en" else _REFUSALS.get(code, "")


def chosen_language(option: Language | None) -> Language:
    """The option, else the locale of the environment: every Chinese one reads Traditional Chinese, others English."""
    if option is not None:
        return option
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh-TW" if locale.lower().startswith("zh") else "en"
