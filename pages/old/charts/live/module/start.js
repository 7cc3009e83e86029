// A file that was opened from a disk: every part that stands in it is put up. Nobody is told of anything but the page itself.

import { put } from "./mount.js";

const moves = () => document.documentElement.classList; // without one, what stands still is shown

function up(place) {
  const { live: part, desk, high: height, type, at } = place.dataset;
  const text = place.firstElementChild.textContent;
  put(place, { part, desk, text, type, height: Number(height), at: at && JSON.parse(at) }, (name) => {
    if (name === "failed") moves().remove("moves");
  });
}

export function start() {
  try {
    moves().add("moves");
    document.querySelectorAll("[data-live]").forEach(up);
  } catch (error) {
    console.warn("live", error);
    moves().remove("moves");
  }
}
