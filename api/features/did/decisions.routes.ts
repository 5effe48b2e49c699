// What souls' owners decide by one signature, each in a file of its own. A line here adds one.

export { didUpdate } from "./did-decision.routes.ts";
export { agentKeySet } from "./key-set-decision.routes.ts";
