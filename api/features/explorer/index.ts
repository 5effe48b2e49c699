// What other features and pages may use of this one.

export { MAX_SOUGHT } from "./agents-query.schemas.ts";
