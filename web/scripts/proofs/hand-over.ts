/** What was entered before the page was loaded again for another node. */
export interface HandedOver {
  /** The bytes of the chosen file in base64; null for pasted text and for a page about one proof. */
  readonly file: string | null;
  readonly text: string;
  readonly node: string;
  readonly contracts: Readonly<Record<string, string>>;
}

/** One page does not take over what was entered on another. */
const key = () => `verify ${location.pathname}`;

/**
 * Keeps what was entered for the next load of this tab. A link cannot set it, so that no sender of
 * a link chooses the node or contract for the visitor.
 */
export function handOver(entered: HandedOver): void {
  sessionStorage.setItem(key(), JSON.stringify(entered));
}

/** What the load before has left, once. */
export function takeOver(): HandedOver | null {
  const left = sessionStorage.getItem(key());
  sessionStorage.removeItem(key());
  return left === null ? null : (JSON.parse(left) as HandedOver);
}
