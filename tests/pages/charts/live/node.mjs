// Runs what a test asks for, one line of JSON after another, with the names that the module exports: `live`.
// There is no page here: elements only keep what they are given, and a chart's marks are looked at before they are painted.

class Element {
  constructor(name) {
    Object.assign(this, { name, attributes: {}, children: [], style: { setProperty() {} }, textContent: "", dataset: {} });
    this.classList = { toggle: (_, on) => (this.hidden = on) }; // of a figure without an answer
  }

  append(...more) {
    this.children.push(...more);
  }

  replaceChildren(...all) {
    this.children = all;
  }

  setAttribute(key, value) {
    this.attributes[key] = String(value);
  }

  get lastChild() {
    return this.children.at(-1);
  }

  addEventListener() {}

  remove() {}
}

globalThis.document = {
  createElement: (name) => new Element(name),
  createElementNS: (_, name) => new Element(name),
  createTextNode: (nodeValue) => ({ nodeValue }),
  querySelector: () => null,
};
globalThis.ResizeObserver = class {
  observe() {}

  disconnect() {}
};

const live = await import(process.argv[2]);
// What somebody reads of an element: headings and paragraphs, and of pictures what is said of them, where they are not hidden.
function readable({ name, nodeValue, attributes = {}, children = [], textContent, hidden }) {
  if (hidden) return [];
  if (attributes["aria-label"]) return [attributes["aria-label"]];
  const inside = children.map((child) => (typeof child === "string" ? [child] : readable(child)));
  const flat = ["h3", "p", "figcaption", "strong"].includes(name);
  return flat ? [inside.flat().join("") + textContent] : nodeValue !== undefined ? [nodeValue] : inside.flat();
}

// A part's words at each [γ, ε], and how many icons are filled in each of its figures that is there.
function read(Part, data, tables, at) {
  const root = new Element("div");
  const part = new Part(root);
  part.receive(data);
  return at.map(([gamma, epsilon]) => {
    part.follow(live.looked(tables, gamma, epsilon));
    const there = (part.parts ?? []).filter(({ root: place, data }) => data.figure && !place.hidden);
    return [readable(root), there.map(({ data }) => data.figure.data[1].x.length)];
  });
}

function worded(key, value) {
  if (typeof value === "number" && !Number.isFinite(value)) return { not: String(value) };
  return ArrayBuffer.isView(value) ? Array.from(value) : value;
}

let rest = "";
process.stdin.setEncoding("utf8");
for await (const part of process.stdin) {
  const lines = (rest + part).split("\n");
  rest = lines.pop();
  for (const line of lines) {
    let answer;
    try {
      const { body, given } = live.read(line);
      const known = { live, read, ...given };
      answer = { returned: new Function(...Object.keys(known), body)(...Object.values(known)) };
    } catch (error) {
      answer = { failed: error.stack };
    }
    process.stdout.write(`${JSON.stringify(answer, worded)}\n`);
  }
}
