import type { AgentProfile } from "../../api/features/profile/index.ts";
import {
  Card,
  DescriptionItem,
  DescriptionList,
  UntrustedLink,
  UntrustedText,
} from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import { inWords } from "../ui/text.ts";
import { isLoadable } from "./portrait.page.tsx";

/** The owner's own statements, which are not verified. */
export function OwnWords({ kit, profile }: { kit: PageKit; profile: AgentProfile }) {
  const { publicIdentity, birthBundle, avatarUrl } = profile;
  const { bio, category, tags, modelFamily, contacts } = publicIdentity ?? NOTHING_SAID;
  const { note, creatorName } = birthBundle ?? { note: "", creatorName: "" };
  const facts = [
    bio === null ? null : (
      <DescriptionItem name="About it">
        <UntrustedText text={bio} />
      </DescriptionItem>
    ),
    category === null ? null : (
      <DescriptionItem name="Category">{inWords(category)}</DescriptionItem>
    ),
    tags.length === 0 ? null : (
      <DescriptionItem name="Tags">
        <ul class="tags">
          {tags.map((tag) => (
            <li class="badge">
              <UntrustedText text={tag} />
            </li>
          ))}
        </ul>
      </DescriptionItem>
    ),
    modelFamily === null ? null : (
      <DescriptionItem name="Model family">
        <UntrustedText text={modelFamily} />
      </DescriptionItem>
    ),
    ...contacts.map(({ type, value }) => (
      <DescriptionItem name={<UntrustedText text={inWords(type)} />}>
        <UntrustedLink url={value} />
      </DescriptionItem>
    )),
    note === "" ? null : (
      <DescriptionItem name="At its birth">
        <UntrustedText text={note} />
      </DescriptionItem>
    ),
    creatorName === "" ? null : (
      <DescriptionItem name="Created by">
        <UntrustedText text={creatorName} />
      </DescriptionItem>
    ),
    avatarUrl === null || isLoadable(kit, profile) ? null : (
      <DescriptionItem name="Its own picture">
        <UntrustedLink url={avatarUrl} />
      </DescriptionItem>
    ),
  ].filter((fact) => fact !== null);
  if (facts.length === 0) return null;
  return (
    <Card id="words" title="In its owner's words">
      <DescriptionList>{facts}</DescriptionList>
      <p class="muted">None of it is verified.</p>
    </Card>
  );
}

const NOTHING_SAID: NonNullable<AgentProfile["publicIdentity"]> = {
  bio: null,
  category: null,
  tags: [],
  modelFamily: null,
  contacts: [],
};
