"""The README's figures are those that the commands printed."""

import json

from tests.readme_figures import BEGIN, FIGURES, README, rendered, with_figures


def test_the_readme_shows_what_was_measured() -> None:
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    assert rendered(figures) in README.read_text(encoding="utf-8")


def test_other_figures_would_be_noticed() -> None:
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    figures["fields"]["micro_f1"] = 0.5
    readme = README.read_text(encoding="utf-8")
    assert rendered(figures) not in readme
    assert with_figures(readme, figures).count(BEGIN) == 1
