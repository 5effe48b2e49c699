// Ponder looks for its configuration, and for the types of every event, beside the schema.
export { default } from "../ponder.config.ts";
