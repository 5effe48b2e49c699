// What other features and pages may use of this one.

export type { AlignmentPicture } from "./picture.tsx";
export { AlignmentCard } from "./picture.tsx";
