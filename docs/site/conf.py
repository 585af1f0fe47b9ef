"""The documentation as a site: `cargo xtask site`. The package has to be installed where this runs."""

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

import ribbonmesh

project = "RibbonMesh"
version = release = ribbonmesh.__version__
author = "the authors of RibbonMesh"
root_doc = "index"
exclude_patterns = ["site", "figures"]
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
html_theme = "furo"
html_title = "RibbonMesh"
html_show_sphinx = False
html_copy_source = False

myst_heading_anchors = 4
# code blocks leave out what does not matter, by an ellipsis
suppress_warnings = ["misc.highlighting_failure"]

# every notebook is executed, and one that fails ends the build
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True

napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_type_aliases = {"Length": "Length", "Array": "Array", "Progress": "Progress", "Velocity": "Velocity"}
autodoc_default_options = {"members": True, "show-inheritance": False}


DOCS = Path(__file__).parents[1]
LINK = re.compile(r"\[([^\]]*)\]\((\.\.?/[^)#]*)(#[^)]*)?\)")


def of_the_repository(app: Sphinx, name: str, content: list[str]) -> None:
    """Links to files of the repository that are no pages become downloads; those to folders, text."""
    folder = (DOCS / name).parent

    def replaced(link: re.Match[str]) -> str:
        words, target = link[1], (folder / link[2]).resolve()
        if target.is_relative_to(DOCS):
            return link[0]
        if not target.exists():
            raise ExtensionError(f"{name}: there is no {link[2]}")
        words = words.replace("`", "")
        return f"{{download}}`{words} <{link[2]}>`" if target.is_file() else f"`{words}`"

    content[0] = LINK.sub(replaced, content[0]).replace("```rust,ignore", "```rust")


def setup(app: Sphinx) -> None:
    app.connect("source-read", of_the_repository)
