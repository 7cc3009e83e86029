// Elements of the page. Every text is set as text.

const SVG = "http://www.w3.org/2000/svg";

function given(made, attributes) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function element(name, attributes = {}, text = "") {
  const made = given(document.createElement(name), attributes);
  if (text) made.textContent = text;
  return made;
}

export const drawn = (name, attributes = {}) => given(document.createElementNS(SVG, name), attributes);

// What a picture shows: it is one from when it shows something.
export function shows(picture, text) {
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", text);
}

const was = new WeakMap(); // the nodes that an element was given last

// Give an element these nodes inside: only what is not so already is changed.
export function patch(parent, nodes) {
  const before = was.get(parent) ?? [];
  nodes.forEach((one, i) => {
    const [old, there] = [before[i], parent.childNodes[i]];
    if (old === one) return;
    if (typeof one === "string") {
      if (typeof old !== "string") put(parent, document.createTextNode(one), there);
      else if (old !== one) there.nodeValue = one;
      return;
    }
    const same = old && old.tag === one.tag;
    const own = same ? there : put(parent, drawn(one.tag), there);
    for (const key in one.attributes) if (!same || old.attributes[key] !== one.attributes[key]) own.setAttribute(key, one.attributes[key]);
    if (same) for (const key in old.attributes) if (!(key in one.attributes)) own.removeAttribute(key);
    patch(own, one.inside);
  });
  while (parent.childNodes.length > nodes.length) parent.lastChild.remove();
  was.set(parent, nodes);
}

function put(parent, made, instead) {
  if (instead) parent.replaceChild(made, instead);
  else parent.append(made);
  return made;
}
