/** What was entered before the page was loaded again for another node. */
export interface HandedOver {
  readonly document: string;
  readonly node: string;
  readonly soulView: string;
}

const KEY = "verify-disclosure";

/**
 * Keeps what was entered for the next load of this tab. A link cannot set it, so that no sender of
 * a link chooses the node or contract for the visitor.
 */
export function handOver(entered: HandedOver): void {
  sessionStorage.setItem(KEY, JSON.stringify(entered));
}

/** What the load before has left, once. */
export function takeOver(): HandedOver | null {
  const left = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return left === null ? null : (JSON.parse(left) as HandedOver);
}
