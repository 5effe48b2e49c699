/** One step of a verification: what was found, and where. */
export interface ReportStep {
  readonly step: string;
  readonly value: string;
  /** Where the value was read, or what it was computed from. */
  readonly source: string;
  /** Null: right, or information alone. */
  readonly problem: string | null;
}

/** A step that was not made. */
export interface SkippedStep {
  readonly step: string;
  readonly why: string;
}

/** Every step of a verification, in order. */
export interface Report {
  readonly isValid: boolean;
  /** One sentence: what is right, or the first thing that is not. */
  readonly why: string;
  readonly steps: readonly ReportStep[];
  readonly skipped: readonly SkippedStep[];
}
