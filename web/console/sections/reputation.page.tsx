import type { OwnerTransaction } from "../../../api/features/passports/index.ts";
import type { ValidationService } from "../../../api/features/verification/index.ts";
import type { OwnedSoul } from "../../../api/soul/chain-soul.ts";
import { ActionArea } from "../../owner/components.tsx";
import type { CallAction, SentAction } from "../../owner/data.ts";
import { onlyOwner } from "../../owner/signers.ts";
import { Card } from "../../ui/components.tsx";
import type { Section, SectionContext } from "../sections.page.ts";

/** What others rely on: the alignment score, and the validation in the ERC-8004 registry. */
export async function reputationSection(
  {
    validations,
  }: {
    readonly validations: Pick<ValidationService, "requestTransaction">;
  },
  { soul, tokenId }: SectionContext,
): Promise<Section> {
  const lead = "What others rely on: the agent's alignment score, and its validation on chain.";
  if (soul.status !== "SEALED") {
    const body = (
      <Card id="unsealed" title="Seal the soul first">
        <p>
          Both are about a sealed soul. Seal it under <a href="./passport">Passport</a>.
        </p>
      </Card>
    );
    return { lead, asksWallet: false, actions: [], body };
  }
  const request = await validations.requestTransaction(soul);
  return {
    lead,
    asksWallet: request !== null,
    actions: [
      snapshotAction(tokenId),
      request === null ? validateAction(tokenId) : requestAction(soul, request),
    ],
    body: (
      <>
        <ScoreCard name={soul.name} />
        <ValidationCard isRequested={request === null} />
      </>
    ),
  };
}

function snapshotAction(tokenId: number): CallAction {
  return {
    kind: "call",
    id: "snapshot",
    label: "Score it now",
    form: null,
    confirm: null,
    request: { method: "POST", path: "/v1/snapshot", body: { tokenId } },
    done: "A new score is computed. It is on the agent's page in a moment.",
  };
}

function requestAction(soul: OwnedSoul, { to, data }: OwnerTransaction): SentAction {
  return {
    kind: "send",
    id: "request-validation",
    signers: onlyOwner(soul),
    label: "Ask for a validation",
    to,
    data,
    done: "Load the page again once it is confirmed. Then have the soul validated.",
  };
}

function validateAction(tokenId: number): CallAction {
  return {
    kind: "call",
    id: "validate",
    label: "Validate it now",
    form: null,
    confirm: null,
    request: { method: "POST", path: `/v1/validate/${tokenId}`, body: {} },
    done: "The validation registry holds {response} of 100 for the agent.",
  };
}

function ScoreCard({ name }: { name: string }) {
  return (
    <Card id="score" title="Alignment score">
      <p>
        A number from 0 to 100 over what is on record: see <a href={`/agents/${name}`}>its parts</a>
        . A new one is computed and put on chain, at most five times a day (UTC). In its first 30
        days, also with a new owner, an agent has none.
      </p>
      <ActionArea id="snapshot" />
    </Card>
  );
}

function ValidationCard({ isRequested }: { isRequested: boolean }) {
  return (
    <Card id="validation" title="Validation on chain (ERC-8004)">
      <p>
        This service verifies the sealed soul and its archive, and writes the result into the
        validation registry: 100 when every check passes.
      </p>
      {isRequested ? (
        <ActionArea id="validate" />
      ) : (
        <>
          <p>Only the passport's owner can ask for it: your wallet sends one transaction.</p>
          <ActionArea id="request-validation" />
        </>
      )}
    </Card>
  );
}
