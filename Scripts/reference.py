"""Does for the library reference what docc can't do. Scripts/docs calls it.

`prepare` runs before docc. It fails when a public symbol has no documentation comment. It adds the module to links
between modules, so that comments and guides needn't name the module of a type. And it does what `examples` does.

`examples` extracts the examples from the guides, one function for each page, and a list of these functions, so that
they can be compiled and run.

`join` runs after docc. It puts every module below the start page of the site.
"""

import argparse
import json
import pathlib
import re
import sys

LINK = re.compile(r"(?<!`)``([^`\s]+)``(?!`)")
EXAMPLE = re.compile(r"^```swift\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def path(symbol):
    return tuple(symbol["pathComponents"])


def declared(graph):
    """Symbols of a graph that need a comment of their own.

    Implementations of another module's protocol requirements, such as `hash(into:)` or `description`, are
    documented there. For such a symbol the graph names the requirement as its origin.
    """
    witnesses = {r["source"] for r in graph["relationships"] if "sourceOrigin" in r}
    for symbol in graph["symbols"]:
        identifier = symbol["identifier"]["precise"]
        if identifier in witnesses or "::SYNTHESIZED::" in identifier:
            continue
        if symbol["kind"]["identifier"] != "swift.extension":
            yield symbol


def place(symbol):
    location = symbol.get("location")
    if not location:
        return "?"
    file = location["uri"].removeprefix("file://")
    here = str(pathlib.Path.cwd()) + "/"
    return f"{file.removeprefix(here)}:{location['position']['line'] + 1}"


def home(file, graph):
    """The module in which docc places a graph's symbols: `A@B` holds extensions by module A of B's types."""
    _, _, extended = file.name.removesuffix(".symbols.json").partition("@")
    return extended or graph["module"]["name"]


class Names:
    """The module that each type is in, and the symbol paths of each module."""

    def __init__(self, graphs):
        self.paths = {}
        owners = {}
        for file, graph in graphs.items():
            module = home(file, graph)
            for symbol in graph["symbols"]:
                self.paths.setdefault(module, set()).add(path(symbol))
                if len(path(symbol)) == 1 and symbol["kind"]["identifier"] != "swift.extension":
                    owners.setdefault(path(symbol)[0], set()).add(module)
        self.owner = {name: one.pop() for name, one in owners.items() if len(one) == 1}

    def in_full(self, text, module=None, scope=()):
        """The text, with the module's name added to links to other modules."""

        def full(match):
            first = match[1].split("/")[0]
            known = self.paths.get(module, set())
            if any(scope[:length] + (first,) in known for length in range(len(scope) + 1)):
                return match[0]
            owner = self.owner.get(first)
            return f"``/{owner}/{match[1]}``" if owner else match[0]

        return LINK.sub(full, text)


def complete_links(names, module, graph):
    for symbol in graph["symbols"]:
        for line in symbol.get("docComment", {}).get("lines", []):
            line["text"] = names.in_full(line["text"], module, path(symbol))


def example_program(page, text):
    """The examples of a page, joined in order into one function, so that an example can use earlier declarations."""
    examples = EXAMPLE.findall(text)
    if not examples:
        return None
    lines = "\n".join(examples).split("\n")
    imports = sorted({line for line in lines if line.startswith("import ")} | {"import Foundation"})
    body = [line for line in lines if not line.startswith("import ")]
    return "\n".join(
        [*imports, f"@Sendable func {function_name(page)}() async throws {{", *body, "}", ""])


def function_name(page):
    return re.sub(r"\W", "_", page.stem)


def prepare(asked):
    files = sorted(asked.graphs.glob("*.symbols.json"))
    graphs = {file: json.loads(file.read_text()) for file in files}
    symbols = [symbol for graph in graphs.values() for symbol in declared(graph)]
    missing = [symbol for symbol in symbols if not symbol.get("docComment")]
    for line in sorted(f"{place(symbol)}: {'.'.join(path(symbol))}" for symbol in missing):
        print(line, file=sys.stderr)
    if missing:
        sys.exit(
            f"make docs: {len(missing)} of {len(symbols)} public symbols have no documentation comment")
    print(f"make docs: all of {len(symbols)} public symbols are documented", file=sys.stderr)

    names = Names(graphs)
    for file, graph in graphs.items():
        complete_links(names, home(file, graph), graph)
        file.write_text(json.dumps(graph))
    catalogue = asked.output / asked.catalogue.name
    catalogue.mkdir()
    for page in asked.catalogue.glob("*.md"):
        (catalogue / page.name).write_text(names.in_full(page.read_text()))
    write_examples(asked.catalogue, asked.output / "examples")


def write_examples(catalogue, folder):
    folder.mkdir(parents=True, exist_ok=True)
    programs = {page: example_program(page, page.read_text()) for page in catalogue.glob("*.md")}
    pages = {function_name(page): program for page, program in sorted(programs.items()) if program}
    for name, program in pages.items():
        (folder / f"{name}.swift").write_text(program)
    rows = "".join(f'    ("{name}", {name}),\n' for name in pages)
    (folder / "pages.swift").write_text(
        "/// The examples of every guide.\n"
        f"let pages: [(name: String, run: @Sendable () async throws -> Void)] = [\n{rows}]\n")


def join(asked):
    """Puts the modules' pages below the root page.

    docc treats each module as a separate root, so its pages would have no link back to the
    guides and the other modules. Breadcrumbs follow a page's hierarchy. The navigator starts at
    the node of type `module` that the address names, or at the only such node.
    """
    pages = asked.site / "data" / "documentation"
    root = json.loads((pages / f"{asked.root}.json").read_text())
    identifier = root["identifier"]["url"]
    reference = {
        "abstract": root["abstract"],
        "identifier": identifier,
        "kind": root["kind"],
        "role": root["metadata"]["role"],
        "title": root["metadata"]["title"],
        "type": "topic",
        "url": f"/documentation/{asked.root}",
    }
    for file in pages.rglob("*.json"):
        page = json.loads(file.read_text())
        if page["identifier"]["url"] == identifier:
            continue
        ways = page["hierarchy"]["paths"]
        page["hierarchy"]["paths"] = [
            way if identifier in way[:1] else [identifier, *way] for way in ways
        ]
        page["references"][identifier] = reference
        write(page, file)

    file = asked.site / "index" / "index.json"
    index = json.loads(file.read_text())
    for [node] in index["interfaceLanguages"].values():
        for child in node["children"]:
            if child["type"] == "module":
                child["type"] = "collection"
    write(index, file)


def write(value, file):
    file.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def main():
    options = argparse.ArgumentParser(description=__doc__)
    tasks = options.add_subparsers(required=True)
    before = tasks.add_parser("prepare")
    before.add_argument("--graphs", type=pathlib.Path, required=True)
    before.add_argument("--catalogue", type=pathlib.Path, required=True)
    before.add_argument("--output", type=pathlib.Path, required=True)
    before.set_defaults(task=prepare)
    only = tasks.add_parser("examples")
    only.add_argument("--catalogue", type=pathlib.Path, required=True)
    only.add_argument("--output", type=pathlib.Path, required=True)
    only.set_defaults(task=lambda asked: write_examples(asked.catalogue, asked.output))
    after = tasks.add_parser("join")
    after.add_argument("--site", type=pathlib.Path, required=True)
    after.add_argument("--root", required=True)
    after.set_defaults(task=join)
    asked = options.parse_args()
    asked.task(asked)


if __name__ == "__main__":
    main()
