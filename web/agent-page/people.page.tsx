import type { AgentProfile } from "../../api/features/profile/index.ts";
import {
  AccountLink,
  Card,
  Code,
  DescriptionItem,
  DescriptionList,
  UntrustedText,
} from "../ui/components.tsx";

export function People({
  profile,
  organizationName,
}: {
  profile: AgentProfile;
  /** Null where it is not known; empty when its founder gave none. */
  organizationName: string | null;
}) {
  const { owner, operator, operatorLabel, organizationId, chainAddresses } = profile;
  const { parentTokenId, successorTokenId } = profile;
  return (
    <Card id="people" title="Who stands behind it">
      <DescriptionList>
        <DescriptionItem name="Owner">
          {owner === null ? <Withheld /> : <AccountLink address={owner} />}
        </DescriptionItem>
        <DescriptionItem name="Acts through">
          {operatorLabel === null ? null : (
            <>
              <UntrustedText text={operatorLabel} />
              <br />
            </>
          )}
          {operator === null ? (
            <Withheld />
          ) : operator === owner ? (
            "its owner's account"
          ) : (
            <AccountLink address={operator} />
          )}
        </DescriptionItem>
        {organizationId === 0n ? null : (
          <DescriptionItem name="Organization">
            <a href={`/organizations/${organizationId}`}>
              <UntrustedText text={organizationName || `Organization ${organizationId}`} />
            </a>
          </DescriptionItem>
        )}
        {parentTokenId === 0n ? null : (
          <DescriptionItem name="Descends from">
            <a href={`/certificates/${parentTokenId}`}>certificate {String(parentTokenId)}</a>
          </DescriptionItem>
        )}
        {successorTokenId === null ? null : (
          <DescriptionItem name="Reincarnated as">
            <a href={`/certificates/${successorTokenId}`}>certificate {String(successorTokenId)}</a>
          </DescriptionItem>
        )}
        {chainAddresses.map(({ chain, address, label }) => (
          <DescriptionItem
            name={<UntrustedText text={label === "" ? chain : `${label} (${chain})`} />}
          >
            <Code>
              <UntrustedText text={address} />
            </Code>
          </DescriptionItem>
        ))}
      </DescriptionList>
      {profile.tokenId === null ? null : (
        <p>
          <a href={`/allowances/${profile.tokenId}`}>What it may pay</a> ·{" "}
          <a href={`/bindings/${profile.tokenId}`}>Whom it trusts</a> ·{" "}
          <a href={`/console/${profile.tokenId}`}>Manage it, as its owner</a>
        </p>
      )}
    </Card>
  );
}

const Withheld = () => <span class="muted">not shown</span>;
