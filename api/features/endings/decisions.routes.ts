// What souls' owners decide by one signature, each in a file of its own. A line here adds one.

export { burn } from "./burn-decision.routes.ts";
export { release } from "./release-decision.routes.ts";
export { reseal } from "./reseal-decision.routes.ts";
