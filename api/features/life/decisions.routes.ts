// What souls' owners decide by one signature, each in a file of its own. A line here adds one.

export { seal } from "./seal-decision.routes.ts";
export { suspend } from "./suspend-decision.routes.ts";
