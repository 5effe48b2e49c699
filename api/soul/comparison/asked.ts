/** Passports that were answered from the index, for `index.compare` to compare them first. */
export interface AskedPassports {
  /** Costs no statement. */
  note(passportId: bigint): void;
  /** Stores what was noted, in one statement. Never rejects. */
  store(): Promise<void>;
}
