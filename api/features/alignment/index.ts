// What other features and pages may use of this one.

export type { AlignmentPicture, LastSnapshot } from "./alignment.ts";
