// Runs what a test asks for, one line of JSON after another, with the names that the module exports: `live`.
// There is no page here: elements only keep what they are given, and a chart's marks are looked at before they are painted.

class Element {
  constructor(name) {
    Object.assign(this, { name, attributes: {}, children: [], style: { setProperty() {} }, textContent: "" });
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
};
globalThis.ResizeObserver = class {
  observe() {}

  disconnect() {}
};

const live = await import(process.argv[2]);
const painted = [];
live.Chart.prototype.paint = function paint() {
  painted.push(this);
};

// The charts of a part, as they are at each [γ, ε]: their marks by name, what they say, and their ranges.
function followed(Part, data, tables, at) {
  const part = new Part(new Element("div"));
  part.receive(data);
  return at.map(([gamma, epsilon]) => {
    painted.length = 0;
    part.follow(live.looked(tables, gamma, epsilon));
    return painted.map(({ marks, said, x, y }) => ({
      said, x: x.range, y: y.range,
      marks: marks.map(({ label, xs, ys, made }) => ({ label, xs: [...xs], ys: [...ys], there: made !== null })),
    }));
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
      answer = { returned: new Function("live", "followed", ...Object.keys(given), body)(live, followed, ...Object.values(given)) };
    } catch (error) {
      answer = { failed: error.stack };
    }
    process.stdout.write(`${JSON.stringify(answer, worded)}\n`);
  }
}
