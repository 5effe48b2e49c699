// What souls' owners decide by one signature, each in a file of its own. A line here adds one.

export { agentUri } from "./agent-uri-decision.routes.ts";
export { registrationFile } from "./file-decision.routes.ts";
