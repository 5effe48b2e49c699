import type { AgentProfile } from "../../api/features/profile/index.ts";
import {
  Card,
  Code,
  DateTime,
  DescriptionItem,
  DescriptionList,
  ScriptRoot,
} from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { ProfilePageData } from "./page-data.ts";
import { SoulTree } from "./soul-tree.page.tsx";

export function Proven({ kit, profile }: { kit: PageKit; profile: AgentProfile }) {
  const { agentName, tokenId, sealedAt, soulHash, soulMerkleRoot } = profile;
  const script: ProfilePageData = { agentName, explorer: kit.network.explorer };
  const isValid = profile.soulValidity.status === "valid";
  return (
    <Card id="proven" title={tokenId === null || isValid ? "What is proven" : "What is on record"}>
      {tokenId === null ? (
        <p>Nothing yet: proof begins when the owner claims the agent.</p>
      ) : (
        <>
          <DescriptionList>
            <DescriptionItem name="Certificate">
              <a href={`/certificates/${tokenId}`}>{String(tokenId)}</a>, which cannot be sold, on{" "}
              {kit.network.name}
            </DescriptionItem>
            <DescriptionItem name="Passport (ERC-8004)">
              <a href={`/passports/${profile.erc8004AgentId}`}>{String(profile.erc8004AgentId)}</a>
              {profile.erc8004Url === null ? null : (
                <>
                  {" · "}
                  <a href={profile.erc8004Url} rel="noopener nofollow">
                    its registration file
                  </a>
                </>
              )}
            </DescriptionItem>
            {sealedAt === null ? null : (
              <DescriptionItem name="Sealed on">
                <DateTime at={sealedAt} />
              </DescriptionItem>
            )}
            {soulHash === null ? null : (
              <DescriptionItem name="Soul hash">
                <Code>{soulHash}</Code>
                <br />
                <span class="muted">of everything it is made of, most of which stays private</span>
              </DescriptionItem>
            )}
            {soulMerkleRoot === null ? null : (
              <DescriptionItem name="Root of its fields">
                <Code>{soulMerkleRoot}</Code>
                <br />
                <span class="muted">lets it prove one field without showing the others</span>
              </DescriptionItem>
            )}
            {profile.arweaveUrl === null ? null : (
              <DescriptionItem name="Archive">
                <a href={profile.arweaveUrl} rel="noopener">
                  <Code>{profile.arweaveTxId}</Code>
                </a>
              </DescriptionItem>
            )}
          </DescriptionList>
          {soulMerkleRoot === null ? null : (
            <>
              <h3>{isValid ? "Its soul, leaf by leaf" : "Its last sealed soul, leaf by leaf"}</h3>
              <SoulTree
                publicFields={profile.disclosedFields}
                proof={isValid ? `/proofs/certificates/${tokenId}` : null}
              />
            </>
          )}
          <p>
            Did it show you another one? <a href="/verify">Verify what it showed you</a>.
          </p>
          <h3>Check it now</h3>
          <p>
            Reads the chain, fetches the archive and hashes it again. Contracts do the same with{" "}
            <Code>isValid({String(tokenId)})</Code>; programs read{" "}
            <a href={`/v1/verify/${agentName}`}>the verification</a>.
          </p>
          <ScriptRoot
            script="profile"
            data={script}
            why="The check is made by a script of this site."
          />
        </>
      )}
    </Card>
  );
}
