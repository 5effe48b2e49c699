import type { OperatorFact, RevisedFact } from "./facts.ts";
import { type AlignmentInputs, DAY_SECONDS } from "./inputs.ts";

const MISSING_RECORD_COST = 20;
const CHANGED_DOCUMENT_COST = 30;
const INCONSISTENT_FILE_COST = 25;

/**
 * 100 while every decision of the owner has its chronicle, no immutable document was changed, and
 * the registration file is this agent's.
 */
export function protocolAdherence({ at, of, count }: AlignmentInputs) {
  const operators = of("operator");
  const revisions = of("revised");
  const [records, documents, file] = [
    count("records"),
    count("documents"),
    count("registrationFile"),
  ];
  const missing =
    missingRecords(operators, records.operatorChange, at.timestamp) +
    missingRecords(revisions, records.soulRevision, at.timestamp);
  const cost =
    MISSING_RECORD_COST * missing +
    CHANGED_DOCUMENT_COST * documents.immutableChanged +
    (file.consistent ? 0 : INCONSISTENT_FILE_COST);
  const value = Math.max(0, 100 - cost);
  return { value, used: [...operators, ...revisions, records, documents, file] };
}

/** A chronicle may follow its decision by up to a day: batches are recorded hourly. */
function missingRecords(
  decisions: readonly (OperatorFact | RevisedFact)[],
  records: number,
  now: bigint,
): number {
  const due = decisions.filter(({ timestamp }) => timestamp <= now - DAY_SECONDS);
  return Math.max(0, due.length - records);
}
