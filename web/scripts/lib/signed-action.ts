import type { ActionBody, ActionDone, SignedAction, SignedWords } from "../../owner/data.ts";
import type { TypedData } from "../../ui/typed-data.ts";
import { typedDataView } from "../signing/typed-data-view.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { postJson } from "./api.ts";
import {
  actions,
  button,
  byId,
  downloadLink,
  element,
  linkButton,
  notice,
  transaction,
} from "./dom.ts";
import { failureNotice } from "./failures.ts";
import { type LeftToOwner, leftTransactions, OWN_TRANSACTIONS } from "./follow-ups.ts";
import { FieldProblem, fieldOf, formValues } from "./form-values.ts";
import { type HashedSoul, newSoul } from "./new-soul.ts";
import { secretsCard } from "./secrets-card.ts";
import { type SignedRequest, signAndSend, signedRequest } from "./sign-and-send.ts";
import { accountView } from "./signers.ts";

type Body = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>> & LeftToOwner;

/** What was prepared for one account and one state of the form. */
interface Prepared {
  readonly connection: Connection;
  readonly body: Body;
  readonly soul: HashedSoul | null;
  readonly signed: SignedRequest;
}

export interface SignedActionContext {
  readonly words: SignedWords;
  readonly explorer: string | null;
  /** Ends every action of the page: what it shows is no longer so. */
  readonly onDone: () => void;
}

/** Has an owner review, sign and send. Returns what takes up the wallet's account. */
export function signedAction(
  area: HTMLElement,
  action: SignedAction,
  { words, explorer, onDone }: SignedActionContext,
): (connection: Connection | null) => void {
  const { signers, labels, request } = action;
  const form = action.form === null ? null : (byId(action.form) as HTMLFormElement);
  const view = accountView(area, signers, (connection, problem) => {
    area.replaceChildren(
      problem ?? "",
      actions(button(labels.start, () => void prepare(connection))),
    );
    problem?.scrollIntoView({ block: "nearest" });
  });
  return show;

  function show(connection: Connection | null, problem?: HTMLElement): void {
    form?.toggleAttribute("inert", false);
    view.show(connection, problem);
  }

  async function prepare(connection: Connection): Promise<void> {
    const begun = view.turn();
    try {
      checkConfirmed(action.confirm, form);
      const values = form === null ? {} : formValues(form);
      form?.toggleAttribute("inert", true);
      area.replaceChildren(notice("info", "One moment", "What you sign is being prepared."));
      const soul = action.soul === null || form === null ? null : await newSoul(form, action.soul);
      const body = {
        ...filledIn(request.body, connection),
        ...values,
        ...soulMembers(soul),
      };
      const { permit, ...message } = await postJson<TypedData & { permit?: TypedData }>(
        `/v1/typed-data/${request.typedData}`,
        { ...filledIn(request.preparation, connection), ...body },
      );
      if (view.turn() !== begun) return;
      offer({
        connection,
        body,
        soul,
        signed: signedRequest(permit === undefined ? [message] : [message, permit]),
      });
      area.focus();
    } catch (error) {
      if (view.turn() === begun) {
        show(connection, error instanceof FieldProblem ? error.shown : failureNotice(error, form));
      }
    }
  }

  /** The members of a request about a soul that ended are named after it. */
  function soulMembers(soul: HashedSoul | null): Body {
    if (soul === null) return {};
    const { soulHash, soulSalt, soulMerkleRoot, merkleLeaves, publicFields } = soul;
    if (action.soul?.revises) {
      return {
        data: {
          newSoulHash: soulHash,
          newSoulSalt: soulSalt,
          newSoulMerkleRoot: soulMerkleRoot,
          merkleLeaves,
        },
      };
    }
    return action.soul?.agentName === null
      ? { soulHash, soulSalt, soulMerkleRoot, merkleLeaves, publicFields }
      : {
          newSoulHash: soulHash,
          newSoulSalt: soulSalt,
          newSoulMerkleRoot: soulMerkleRoot,
          merkleLeaves,
          publicFields,
        };
  }

  function offer(prepared: Prepared, problem?: HTMLElement): void {
    const { connection, signed } = prepared;
    const label = problem === undefined ? labels.sign : "Try again";
    const content =
      problem === undefined ? signed.messages.map((one) => typedDataView(one, words)) : [problem];
    area.replaceChildren(
      ...content,
      actions(
        button(label, () => void perform(prepared), action.isFinal ? "button danger" : "button"),
        button("Change something", () => show(connection), "button secondary"),
      ),
    );
  }

  async function perform(prepared: Prepared): Promise<void> {
    const { connection, body, signed } = prepared;
    try {
      const answer = await signAndSend<Answer>(area, connection, signed, {
        method: request.method,
        path: request.path,
        label: labels.send,
        progress: action.progress,
        body: (owner, permit) => ({ ...body, ...owner, signer: connection.account, permit }),
      });
      if (!action.changesNothing) onDone();
      showDone(answer, prepared);
    } catch (error) {
      offer(prepared, failureNotice(error));
    }
  }

  function showDone(answer: Answer, { connection, soul }: Prepared): void {
    const done = action.done[String(answer.status)] ?? action.done.done;
    const hash = hashIn(answer);
    const outcome = notice("good", done.title);
    if (done.text !== null) outcome.append(element("p", {}, done.text));
    if (hash !== null) {
      outcome.append(element("p", {}, "Transaction ", transaction(explorer, hash)));
    }
    area.replaceChildren(outcome);
    if (soul !== null) {
      area.append(secretsCard(secretsOf(answer, soul, action.soul?.agentName ?? null)));
    }
    const left = leftTransactions(answer, WHY_URI, connection, explorer);
    if (left.length > 0) {
      area.append(element("h3", {}, "If you like"), element("p", {}, OWN_TRANSACTIONS), ...left);
    }
    const links = linksOf(done, answer);
    if (action.download !== undefined) {
      links.unshift(downloadLink(answer, action.download, "Save it as a file"));
    }
    area.append(actions(...links));
    area.focus();
    area.scrollIntoView({ block: "nearest" });
  }
}

const WHY_URI =
  "The passport still points at the former file, which does not know of this. Only you can change that.";

function filledIn(body: ActionBody, { account }: Connection): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value === "$account" ? account : value]),
  );
}

/**
 * Refuses to go on until the text that an action asks for is typed.
 *
 * @throws FieldProblem
 */
export function checkConfirmed(
  confirm: SignedAction["confirm"],
  form: HTMLFormElement | null,
): void {
  if (confirm === null || form === null) return;
  if (fieldOf(form, confirm.field).value.trim() === confirm.text) return;
  throw new FieldProblem(
    notice("caution", `Type ${confirm.text} to confirm`, "It cannot be undone."),
  );
}

function linksOf({ links }: ActionDone, answer: Answer): HTMLElement[] {
  return links.map(({ href, label }) =>
    linkButton(
      href.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
        encodeURIComponent(String(answer[name])),
      ),
      label,
    ),
  );
}

/** The transaction that an answer names: each operation has its own word for it. */
function hashIn(answer: Answer): string | null {
  const [, hash] = Object.entries(answer).find(([name]) => /txHash$/i.test(name)) ?? [];
  return typeof hash === "string" ? hash : null;
}

function secretsOf(answer: Answer, soul: HashedSoul, knownName: string | null) {
  const { apiKey, agentName, did, tokenId } = answer;
  const note = "It acts for the agent. A key of an earlier soul does not work any more.";
  return {
    apiKey: typeof apiKey === "string" ? { value: apiKey, note } : null,
    proof: {
      agentName: String(agentName ?? knownName),
      did: typeof did === "string" ? did : undefined,
      tokenId: Number(tokenId),
      soulHash: soul.soulHash,
      soulMerkleRoot: soul.soulMerkleRoot,
      soulSalt: soul.soulSalt,
      merkleLeaves: soul.merkleLeaves,
    },
  };
}
