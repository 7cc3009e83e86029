// What would be published: the chart of a kind of answer, in the view that was chosen. Each kind's file adds its own.

import { element } from "./chart.js";

const kinds = {};

// views: makes of a chart by name, (root, data) -> {follow(look), end()}; said: what is said of it, (look, data) -> words by slot.
export function kindOfAnswer(name, views, said) {
  kinds[name] = { views, said };
}

export function saidOf(name, look, data) {
  return kinds[name].said(look, data);
}

export class Answers {
  constructor(root) {
    this.root = root;
    this.nothing = element("p", { class: "nothing" }, "No private answer at this choice.");
    root.append(this.nothing);
  }

  receive(data) {
    this.drawing?.end();
    this.drawing = kinds[data.kind].views[data.view](this.root, data);
  }

  // Where there is no answer, no chart of one is seen or read out.
  follow(look) {
    this.nothing.hidden = look.answered;
    this.root.classList.toggle("unanswered", !look.answered);
    if (look.answered) this.drawing?.follow(look);
  }

  end() {
    this.drawing?.end();
  }
}
