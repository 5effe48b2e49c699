import { z } from "@hono/zod-openapi";
import { zeroAddress } from "viem";
import { ApiError } from "../../api/kernel/errors.ts";
import { type Links, publicUriOf } from "../../api/kernel/links.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { listedPage } from "../../api/platform/http/operations.ts";
import { AgentIdParam } from "../../api/platform/http/schemas.ts";
import { passportName } from "../../protocol/names.ts";
import {
  AccountLink,
  Card,
  DateTime,
  DescriptionItem,
  DescriptionList,
  Transaction,
  UntrustedText,
} from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";
import { CursorTurner, MetadataValue, ShortText, SoulLines } from "./record-parts.page.tsx";
import {
  MOST_ENTRIES,
  type PassportFacts,
  type PassportTransfer,
  type PassportTrust,
  type RecordReads,
  type TransferPosition,
} from "./records.ts";

const PAGE_SIZE = 20;

/** A block and the place of the event in it. */
const Position = z
  .string()
  .regex(/^[0-9]{1,15}\.[0-9]{1,6}$/, "Not a position of this list. Open its first page")
  .transform((text): TransferPosition => {
    const [block = "", logIndex] = text.split(".");
    return { block: BigInt(block), logIndex: Number(logIndex) };
  });

/** Any ERC-8004 passport, with and without a soul. */
export const showPassportPage = page({
  operationId: "showPassportPage",
  rules: listedPage,
  path: "/passports/{id}",
  params: { id: AgentIdParam },
  query: { before: Position.optional() },
  errors: ["INVALID_REQUEST", "NOT_FOUND", "REGISTRY_PENDING", "INDEX_BEHIND"],
  async show(
    { id, before: after },
    {
      records,
      links,
    }: {
      readonly records: Pick<RecordReads, "passport">;
      readonly links: Links;
    },
    kit,
    c,
  ) {
    const { at, value } = await records.passport(id, { limit: PAGE_SIZE, after });
    if (value === null) {
      throw new ApiError("NOT_FOUND", { message: `There is no passport ${id}.` });
    }
    reflectsBlock(c, at, "same");
    return passportPage(kit, links, value, after === undefined);
  },
});

function passportPage(kit: PageKit, links: Links, facts: PassportFacts, isFirst: boolean): Page {
  const { passport, souls } = facts;
  const carried = souls.find(({ tokenId }) => tokenId === passport.soulTokenId);
  return {
    title: `Passport ${passport.id}`,
    description: `The ERC-8004 passport ${passport.id}: owner, file, souls and transfers.`,
    body: (
      <div class="stack">
        <div>
          <p class="eyebrow">ERC-8004 passport</p>
          <h1>Passport {String(passport.id)}</h1>
          <p class="lead">
            {carried === undefined ? (
              <>
                It carries no soul: it says that an agent exists, and not which one it is. Its name
                here is{" "}
                <a href={`/agents/${passportName(passport.id)}`}>{passportName(passport.id)}</a>.
              </>
            ) : (
              <>
                It carries the soul of{" "}
                <a href={`/agents/${carried.agentName}`}>{carried.agentName}</a>.
              </>
            )}
          </p>
        </div>
        <HolderCard kit={kit} links={links} facts={facts} />
        <Card id="souls" title="Souls that it carried">
          <SoulLines souls={souls} none="None yet." />
        </Card>
        <MetadataCard facts={facts} />
        <TrustCard trust={facts.trust} />
        <TransfersCard kit={kit} facts={facts} isFirst={isFirst} />
      </div>
    ),
  };
}

function HolderCard({ kit, links, facts }: { kit: PageKit; links: Links; facts: PassportFacts }) {
  const { owner, uri, registrant, registeredAt, registeredTx, ownerSince } = facts.passport;
  const file = publicUriOf(uri, links);
  return (
    <Card id="holder" title="Owner and file">
      <DescriptionList>
        <DescriptionItem name="Owner">
          {owner === null ? <span class="muted">none</span> : <AccountLink address={owner} />}
        </DescriptionItem>
        {ownerSince === null ? null : (
          <DescriptionItem name="Owned since">
            <DateTime at={new Date(Number(ownerSince) * 1000)} />
          </DescriptionItem>
        )}
        <DescriptionItem name="Agent URI">
          {uri === null || uri === "" ? (
            <span class="muted">none that can be shown</span>
          ) : file === null ? (
            <span class="code">
              <ShortText text={uri} />
            </span>
          ) : (
            <a href={file} rel="noopener noreferrer nofollow">
              <span class="code">
                <ShortText text={uri} />
              </span>
            </a>
          )}
        </DescriptionItem>
        {registeredAt === null || registeredTx === null ? null : (
          <DescriptionItem name="Registered">
            <DateTime at={new Date(Number(registeredAt) * 1000)} />
            {registrant === null ? null : (
              <>
                {" "}
                by <AccountLink address={registrant} />
              </>
            )}
            <br />
            <Transaction kit={kit} hash={registeredTx} />
          </DescriptionItem>
        )}
      </DescriptionList>
      <p class="muted">The owner chooses the URI, and can change it at any time.</p>
    </Card>
  );
}

function MetadataCard({ facts: { metadata } }: { facts: PassportFacts }) {
  return (
    <Card id="metadata" title="Metadata on chain">
      {metadata.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <DescriptionList>
          {metadata.map((entry) => (
            <DescriptionItem name={<UntrustedText text={entry.key} />}>
              <MetadataValue entry={entry} />
            </DescriptionItem>
          ))}
        </DescriptionList>
      )}
      <p class="muted">
        {metadata.length < MOST_ENTRIES ? null : `The first ${MOST_ENTRIES} keys. `}
        As the owner wrote it: not checked.
      </p>
    </Card>
  );
}

function TrustCard({ trust }: { trust: PassportTrust }) {
  return (
    <Card id="trust" title="What others state about it">
      <DescriptionList>
        <DescriptionItem name="Feedback">
          {trust.feedback === 0 ? (
            <span class="muted">none</span>
          ) : (
            <>
              {trust.feedback}, from {trust.feedbackClients}{" "}
              {trust.feedbackClients === 1 ? "account" : "accounts"}; {trust.feedbackRevoked}{" "}
              revoked
            </>
          )}
        </DescriptionItem>
        <DescriptionItem name="Answers to feedback">
          {trust.feedbackResponses === 0 ? (
            <span class="muted">none</span>
          ) : (
            trust.feedbackResponses
          )}
        </DescriptionItem>
        <DescriptionItem name="Validations">
          {trust.validationRequests === 0 ? (
            <span class="muted">none</span>
          ) : (
            <>
              {trust.validationRequests} requested, {trust.validationResponses} answered
            </>
          )}
        </DescriptionItem>
      </DescriptionList>
      <p class="muted">Any account can raise these numbers.</p>
    </Card>
  );
}

function TransfersCard({
  kit,
  facts: { passport, transfers },
  isFirst,
}: {
  kit: PageKit;
  facts: PassportFacts;
  isFirst: boolean;
}) {
  const path = `/passports/${passport.id}`;
  const { entries, next } = transfers;
  return (
    <Card id="transfers" title="Transfers">
      {entries.length === 0 ? (
        <p class="muted">
          {isFirst ? "None since this service began to read the chain." : "The list ends here."}
        </p>
      ) : (
        <ol class="timeline">
          {entries.map((transfer) => (
            <Transfer kit={kit} transfer={transfer} />
          ))}
        </ol>
      )}
      <CursorTurner
        first={isFirst ? null : ["Newest", `${path}#transfers-title`]}
        next={
          next === null
            ? null
            : ["Older", `${path}?before=${next.block}.${next.logIndex}#transfers-title`]
        }
      />
    </Card>
  );
}

function Transfer({ kit, transfer }: { kit: PageKit; transfer: PassportTransfer }) {
  const { from, to, at, block, tx } = transfer;
  return (
    <li>
      <p>
        {from === zeroAddress ? (
          <>
            Minted to <AccountLink address={to} />
          </>
        ) : (
          <>
            From <AccountLink address={from} /> to <AccountLink address={to} />
          </>
        )}
      </p>
      <p class="muted event-facts">
        <DateTime at={at} /> <span>block {NUMBER.format(block)}</span>{" "}
        <Transaction kit={kit} hash={tx} />
      </p>
    </li>
  );
}

const NUMBER = new Intl.NumberFormat("en-GB");
