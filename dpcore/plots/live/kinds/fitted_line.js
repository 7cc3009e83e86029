// A line of one feature.

import { kindOfAnswer } from "../module/answers.js";
import { curves, rooted } from "../module/curves.js";

kindOfAnswer("fitted_line", { answers: curves }, rooted);
