// A curve over one dimension.

import { kindOfAnswer } from "../module/answers.js";
import { curves, rooted } from "../module/curves.js";

kindOfAnswer("fitted_curve", { answers: curves }, rooted);
