// A number for each group, with whiskers.

import { kindOfAnswer } from "../module/answers.js";
import { inProportion } from "../module/errors.js";
import { sideBySide, within } from "../module/side_by_side.js";

kindOfAnswer("grouped", { answers: sideBySide, error: inProportion }, within);
