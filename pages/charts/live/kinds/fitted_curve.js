// A curve over one dimension.

import { kindOfAnswer } from "../module/answers.js";
import { curves, rooted, typically } from "../module/curves.js";
import { errors } from "../module/errors.js";

kindOfAnswer("fitted_curve", { answers: curves, error: errors(rooted) }, typically);
