// What other features and pages may use of this one.

export type { Figures, FiguresService } from "./figures.ts";
