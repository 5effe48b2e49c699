import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { ActionBody, ActionDone, OwnerPageData, SignedAction } from "../../owner/data.ts";
import { Transaction } from "../../ui/components.tsx";
import { SignedReview } from "../../ui/signed-message.tsx";
import type { TypedData } from "../../ui/typed-data.ts";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { send } from "./api.ts";
import { actions, byId, downloadLink, focusOn, linkButton, notice } from "./dom.tsx";
import { type LeftToOwner, leftTransactions, OWN_TRANSACTIONS } from "./follow-ups.tsx";
import { FieldProblem, fieldOf, formValues } from "./form-values.ts";
import { type HashedSoul, newSoul } from "./new-soul.ts";
import { secretsCard } from "./secrets-card.tsx";
import { signingFlow } from "./signing-flow.tsx";

type Body = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>> & LeftToOwner;

/** What was read from the form for one account. */
interface Content {
  readonly connection: Connection;
  readonly body: Body;
  readonly soul: HashedSoul | null;
}

/**
 * Has an owner review, sign and send. Returns what takes up the wallet's account.
 *
 * @param onDone Ends every action of the page: what it shows is no longer so.
 */
export function signedAction(
  area: HTMLElement,
  action: SignedAction,
  page: OwnerPageData,
  onDone: () => void,
): (connection: Connection | null) => void {
  const { signers, labels, request } = action;
  const form = action.form === null ? null : (byId(action.form) as HTMLFormElement);
  return signingFlow<Content, Answer>(area, {
    signers,
    labels,
    preparing: "What you sign is being prepared.",
    isFinal: action.isFinal,
    form,
    sending: () => ({ ...request, label: labels.send, progress: action.progress }),
    async prepare(connection) {
      checkConfirmed(action.confirm, form);
      const values = form === null ? {} : formValues(form);
      const soul = action.soul === null || form === null ? null : await newSoul(form, action.soul);
      const body = {
        ...filledIn(request.body, connection),
        ...values,
        ...soulMembers(action, soul),
      };
      const { permit, ...message } = await send<TypedData & { permit?: TypedData }>(
        "POST",
        `/v1/typed-data/${request.typedData}`,
        { ...filledIn(request.preparation, connection), ...body },
      );
      const messages = permit === undefined ? [message] : [message, permit];
      return { content: { connection, body, soul }, messages };
    },
    review: (messages) =>
      messages.map((one) => <SignedReview typedData={one} words={page.words} />),
    bodyOf: ({ connection, body }, owner, permit) => ({
      ...body,
      ...owner,
      signer: connection.account,
      permit,
    }),
    onDone(answer, { content }) {
      if (!action.changesNothing) onDone();
      render(doneView(action, page, answer, content), area);
      focusOn(area);
    },
  });
}

/** The members of a request about a soul that ended are named after it. */
function soulMembers({ soul: form }: SignedAction, soul: HashedSoul | null): Body {
  if (soul === null) return {};
  const { soulHash, soulSalt, soulMerkleRoot, merkleLeaves, publicFields } = soul;
  if (!form?.revises && form?.agentName === null) {
    return { soulHash, soulSalt, soulMerkleRoot, merkleLeaves, publicFields };
  }
  const renewed = {
    newSoulHash: soulHash,
    newSoulSalt: soulSalt,
    newSoulMerkleRoot: soulMerkleRoot,
    merkleLeaves,
  };
  return form?.revises ? { data: renewed } : { ...renewed, publicFields };
}

function doneView(
  action: SignedAction,
  page: OwnerPageData,
  answer: Answer,
  { connection, soul }: Content,
): Child[] {
  const done = action.done[String(answer.status)] ?? action.done.done;
  const hash = hashIn(answer);
  const left = leftTransactions(answer, WHY_URI, connection, page);
  return [
    notice(
      "good",
      done.title,
      done.text,
      hash === null ? null : (
        <p>
          Transaction <Transaction kit={page} hash={hash} />
        </p>
      ),
    ),
    soul === null ? null : secretsOf(answer, soul, action.soul?.agentName ?? null),
    left.length === 0 ? null : [<h3>If you like</h3>, <p>{OWN_TRANSACTIONS}</p>, left],
    actions(
      action.download && downloadLink(answer, action.download, "Save it as a file"),
      ...linksOf(done, answer),
    ),
  ];
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
  throw new FieldProblem(`Type ${confirm.text} to confirm`, "It cannot be undone.");
}

function linksOf({ links }: ActionDone, answer: Answer): Child[] {
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

function secretsOf(answer: Answer, soul: HashedSoul, knownName: string | null): Child {
  const { apiKey, agentName, did, tokenId } = answer;
  const { soulHash, soulMerkleRoot, soulSalt, merkleLeaves } = soul;
  const note = "It acts for the agent. A key of an earlier soul does not work any more.";
  return secretsCard(typeof apiKey === "string" ? { value: apiKey, note } : null, {
    agentName: String(agentName ?? knownName),
    did: typeof did === "string" ? did : undefined,
    tokenId: Number(tokenId),
    soulHash,
    soulMerkleRoot,
    soulSalt,
    merkleLeaves,
  });
}
