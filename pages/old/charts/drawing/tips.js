// What stands beside a pointer at a point: a trace's template of plotly, without its tags.

import { byD3 } from "./ticks.js";
import { each } from "./values.js";

const FIELD = /%\{(x|y|customdata)(?:\[(\d+)\])?(?::([^}]+))?\}/g;

export function tipOf(trace, i) {
  const [said, extra] = trace.hovertemplate.split("<extra>");
  const filled = said.replace(FIELD, (_, name, at, format) => {
    const whole = each(trace[name], i + 1)[i];
    const value = at === undefined ? whole : whole[Number(at)];
    return typeof value !== "number" ? String(value) : byD3(value, format === "," ? ",.0f" : format ?? "~g");
  });
  const name = (extra ?? "").replace("</extra>", "");
  const text = filled.replaceAll("<br>", ", ").replace(/&(amp|lt|gt);/g, (_, letter) => ({ amp: "&", lt: "<", gt: ">" })[letter]);
  return name ? `${name}: ${text}` : text;
}
