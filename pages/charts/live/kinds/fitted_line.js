// A line of one feature.

import { kindOfAnswer } from "../module/answers.js";
import { curves, rooted, typically } from "../module/curves.js";
import { errors } from "../module/errors.js";

kindOfAnswer("fitted_line", { answers: curves, error: errors(rooted) }, typically);
