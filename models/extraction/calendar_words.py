"""Names of months, weekdays, near days and small counts in five languages, in the folded form of the views."""

MONTH_NAMES: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner",
            "february feb februar",
            "march mar märz mrz maerz",
            "april apr",
            "may mai",
            "june jun juni",
            "july jul juli",
            "august aug",
            "september sept sep",
            "october oct oktober okt",
            "november nov",
            "december dec dezember dez",
        ),
        1,
    )
    for name in names.split()
}
MONTH = "|".join(sorted(MONTH_NAMES, key=len, reverse=True))
WEEKDAYS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "monday mon montag mo",
            "tuesday tue tues dienstag di",
            "wednesday wed mittwoch mi",
            "thursday thu thurs donnerstag do",
            "friday fri freitag fr",
            "saturday sat samstag sonnabend sa",
            "sunday sun sonntag so",
        )
    )
    for name in names.split()
    if len(name) > 2
}
WEEKDAY = "|".join(sorted(WEEKDAYS, key=len, reverse=True))
WEEKDAYS_HAN: dict[str, int] = {
    **{name: number for number, name in enumerate("一二三四五六日")},
    **{name: number for number, name in enumerate("月火水木金土日")},
    "天": 6,
}
RELATIVE_DAYS: dict[str, int] = {
    "day after tomorrow": 2,
    "tomorrow": 1,
    "übermorgen": 2,
    "morgen": 1,
    "heute": 0,
    "today": 0,
    "大后天": 3,
    "后天": 2,
    "明后日": 2,
    "あさって": 2,
    "明天": 1,
    "明日": 1,
    "あした": 1,
    "今天": 0,
    "今日": 0,
    "本日": 0,
}
COUNTS: dict[str, int] = {
    **{name: number for number, name in enumerate("一二三四五六七八九十", 1)},
    "两": 2,
    **{
        name: number
        for number, names in enumerate(
            (
                "one a an ein eine einem einer einen",
                "two zwei",
                "three drei",
                "four vier",
                "five fünf",
                "six sechs",
                "seven sieben",
                "eight acht",
                "nine neun",
                "ten zehn",
                "eleven elf",
                "twelve zwölf",
            ),
            1,
        )
        for name in names.split()
    },
}
