import { render } from "hono/jsx/dom";
import {
  type Ccsf,
  type DisclosurePolicy,
  FIELDS,
  type Field,
  fieldValue,
} from "../../../protocol/index.ts";
import type { LeafState } from "../../../protocol/soul-tree-drawing.ts";
import { Card } from "../../ui/components.tsx";
import { TreeLegend, TreePicture } from "../../ui/soul-tree.tsx";
import { byId } from "../lib/dom.tsx";
import { type PendingField, policyWords } from "./decisions.ts";
import { ValueView } from "./value-view.tsx";

/** What the owner decides about the leaves, and with what. */
interface Leaves {
  readonly pending: readonly PendingField[];
  /** Fields whose values everyone can have already. */
  readonly opened: ReadonlySet<Field>;
  readonly policy: DisclosurePolicy | null;
  /** The owner's decisions: true to show. Changed here. */
  readonly decided: Map<Field, boolean>;
  /** Whether the decisions were made before. */
  readonly isSettled: boolean;
  readonly onDecide: () => void;
}

const LEAF_WORDS: Readonly<Record<LeafState, string>> = {
  shown: "to be shown",
  opened: "public, says the service",
  closed: "stays closed",
};

const LEGEND: Readonly<Record<LeafState, string>> = {
  shown: "shown by your answer",
  opened: "public, says the service",
  closed: "stays closed",
};

/** Where the leaves are drawn. */
export function LeavesCard() {
  return (
    <Card title="What would be shown">
      <div id="leaf-picture" />
      <ol class="leaves" id="leaves" />
    </Card>
  );
}

/**
 * Draws the twelve leaves as a picture and as a list, in which the owner decides about each field.
 *
 * @param ccsf Of the soul that was read; null for none.
 */
export function drawLeaves(leaves: Leaves, ccsf: Ccsf | null): void {
  const { pending, opened, decided } = leaves;
  const [picture, list] = [byId("leaf-picture"), byId("leaves")];
  const items = FIELDS.map((field) => (
    <Leaf field={field} ccsf={ccsf} leaves={leaves} onDecide={decide} />
  ));
  render(items, list);
  showStates();

  function stateOf(field: Field): LeafState {
    if (decided.get(field) === true) return "shown";
    return opened.has(field) ? "opened" : "closed";
  }

  function wordsOf(field: Field): string {
    const isOpen = !decided.has(field) && pending.some((asked) => asked.field === field);
    return isOpen ? "not decided" : LEAF_WORDS[stateOf(field)];
  }

  function showStates(): void {
    const label = "The tree of the twelve fields. The list below says the same in words.";
    render(
      [<TreePicture stateOf={stateOf} label={label} />, <TreeLegend words={LEGEND} />],
      picture,
    );
    for (const badge of list.querySelectorAll<HTMLElement>("[data-leaf]")) {
      badge.replaceChildren(wordsOf(badge.dataset.leaf as Field));
    }
  }

  function decide(field: Field, isShown: boolean): void {
    decided.set(field, isShown);
    showStates();
    leaves.onDecide();
  }
}

interface Decision {
  field: Field;
  ccsf: Ccsf | null;
  leaves: Leaves;
  onDecide: (field: Field, isShown: boolean) => void;
}

function Leaf({ field, ccsf, leaves, onDecide }: Decision) {
  const head = (
    <p>
      <strong>{field}</strong> <span class="badge" data-leaf={field} />
    </p>
  );
  const asked = leaves.pending.find((one) => one.field === field);
  if (asked === undefined) return <li>{head}</li>;
  const { text, note } = policyWords(leaves.policy, asked);
  return (
    <li class="asked">
      {head}
      <p class="muted">
        {text}
        {note === null ? "" : ` Your note: ${note}`}
      </p>
      {ccsf === null ? (
        <p class="muted">Choose your file to see what would be shown.</p>
      ) : (
        <figure class="quote">
          <figcaption>Exactly what would be shown:</figcaption>
          <blockquote>
            <ValueView value={fieldValue(ccsf, field)} />
          </blockquote>
        </figure>
      )}
      <LeafChoice field={field} ccsf={ccsf} leaves={leaves} onDecide={onDecide} />
    </li>
  );
}

function LeafChoice({ field, ccsf, leaves: { decided, isSettled }, onDecide }: Decision) {
  const radio = (label: string, isShown: boolean) => {
    const id = `${field}-${isShown ? "show" : "keep"}`;
    return (
      <div class="choice">
        <input
          type="radio"
          name={`decision-${field}`}
          id={id}
          checked={decided.get(field) === isShown}
          disabled={isSettled || (isShown && ccsf === null)}
          onChange={() => onDecide(field, isShown)}
        />
        <label for={id}>{label}</label>
      </div>
    );
  };
  return (
    <fieldset class="choices">
      <legend class="visually-hidden">Your decision about {field}</legend>
      {radio("Show it", true)}
      {radio("Keep it closed", false)}
    </fieldset>
  );
}
