// What other features and pages may use of this one.

export type { AlignmentPicture } from "./alignment.ts";
export { AlignmentCard } from "./picture.page.tsx";
