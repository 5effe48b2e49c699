// Ponder expects its configuration and the event types beside the schema.
export { default } from "../ponder.config.ts";
