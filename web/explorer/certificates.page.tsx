import { z } from "@hono/zod-openapi";
import { ApiError } from "../../api/kernel/errors.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { listedPage } from "../../api/platform/http/operations.ts";
import { TokenIdParam } from "../../api/platform/http/schemas.ts";
import { CertificateImage } from "../ui/certificate.tsx";
import {
  AccountLink,
  Card,
  Code,
  DateTime,
  DescriptionItem,
  DescriptionList,
  Transaction,
} from "../ui/components.tsx";
import { StandingBadge } from "../ui/emblem.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";
import { CursorTurner } from "./record-parts.page.tsx";
import type { CertificateFacts, RecordReads, SoulEpochRecord } from "./records.ts";

const PAGE_SIZE = 20;

const Before = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/, "Not an epoch. Open the first page")
  .transform(Number);

/** A soulbound certificate, as the chain draws it, with every owner's time. */
export const showCertificatePage = page({
  operationId: "showCertificatePage",
  rules: listedPage,
  path: "/certificates/{tokenId}",
  params: { tokenId: TokenIdParam },
  query: { before: Before.optional() },
  errors: ["INVALID_REQUEST", "NOT_FOUND", "REGISTRY_PENDING", "INDEX_BEHIND"],
  async show(
    { tokenId, before: after },
    deps: {
      readonly records: Pick<RecordReads, "certificate">;
    },
    kit,
    c,
  ) {
    const { records } = deps;
    const { at, value } = await records.certificate(tokenId, { limit: PAGE_SIZE, after });
    if (value === null) {
      throw new ApiError("NOT_FOUND", { message: `There is no certificate ${tokenId}.` });
    }
    reflectsBlock(c, at, "same");
    return certificatePage(kit, value, after === undefined);
  },
});

function certificatePage(kit: PageKit, facts: CertificateFacts, isFirst: boolean): Page {
  const { agentName, tokenId } = facts.soul;
  return {
    title: `Certificate ${tokenId}`,
    description: `The soulbound certificate of ${agentName}.`,
    body: (
      <div class="stack">
        <div>
          <p class="eyebrow">Soulbound certificate</p>
          <h1>Certificate {String(tokenId)}</h1>
          <p class="lead">
            Of <a href={`/agents/${agentName}`}>{agentName}</a>. It cannot be sold or moved.
          </p>
        </div>
        <Picture facts={facts} />
        <FactsCard kit={kit} facts={facts} />
        <EpochsCard kit={kit} facts={facts} isFirst={isFirst} />
      </div>
    ),
  };
}

function Picture({ facts: { soul, holder } }: { facts: CertificateFacts }) {
  if (holder !== null) return <CertificateImage {...soul} />;
  return <p class="muted">The certificate was burned with the soul: the chain draws it no more.</p>;
}

function FactsCard({ kit, facts }: { kit: PageKit; facts: CertificateFacts }) {
  const { soul, holder, mintedAt, mintTx, burnedAt, burnTx } = facts;
  return (
    <Card id="facts" title="What it says">
      <DescriptionList>
        <DescriptionItem name="Agent">
          <a href={`/agents/${soul.agentName}`}>{soul.agentName}</a> <StandingBadge soul={soul} />
        </DescriptionItem>
        <DescriptionItem name="Holder">
          {holder === null ? (
            <span class="muted">none: burned</span>
          ) : (
            <AccountLink address={holder} />
          )}
        </DescriptionItem>
        <DescriptionItem name="Passport">
          <a href={`/passports/${soul.passportId}`}>{String(soul.passportId)}</a>
        </DescriptionItem>
        {soul.soulHash === null ? null : (
          <DescriptionItem name="Soul hash">
            <Code>{soul.soulHash}</Code>
          </DescriptionItem>
        )}
        <DescriptionItem name="Minted">
          <DateTime at={mintedAt} />
          <br />
          <Transaction kit={kit} hash={mintTx} />
        </DescriptionItem>
        {burnedAt === null || burnTx === null ? null : (
          <DescriptionItem name="Burned">
            <DateTime at={burnedAt} />
            <br />
            <Transaction kit={kit} hash={burnTx} />
          </DescriptionItem>
        )}
      </DescriptionList>
    </Card>
  );
}

function EpochsCard({
  kit,
  facts: { soul, epochs },
  isFirst,
}: {
  kit: PageKit;
  facts: CertificateFacts;
  isFirst: boolean;
}) {
  const path = `/certificates/${soul.tokenId}`;
  const { entries, next } = epochs;
  return (
    <Card id="epochs" title="Epochs">
      <p>
        An epoch is the time of one seal. What an owner grants ends with it: a sale and a reseal
        begin the next.
      </p>
      {entries.length === 0 ? (
        <p class="muted">The list ends here.</p>
      ) : (
        <ol class="timeline">
          {entries.map((epoch) => (
            <Epoch kit={kit} epoch={epoch} />
          ))}
        </ol>
      )}
      <CursorTurner
        first={isFirst ? null : ["Newest", `${path}#epochs-title`]}
        next={next === null ? null : ["Older", `${path}?before=${next}#epochs-title`]}
      />
    </Card>
  );
}

function Epoch({ kit, epoch: { epoch, ...of } }: { kit: PageKit; epoch: SoulEpochRecord }) {
  return (
    <li>
      <p>
        <strong>Epoch {epoch}</strong> of <AccountLink address={of.sealer} />
        {of.isHumanVerified ? ", attested to be a person" : null}
      </p>
      <p class="muted event-facts">
        <span>
          <DateTime at={of.startedAt} /> to{" "}
          {of.endedAt === null ? "now" : <DateTime at={of.endedAt} />}
        </span>{" "}
        <Transaction kit={kit} hash={of.startTx} />
      </p>
    </li>
  );
}
