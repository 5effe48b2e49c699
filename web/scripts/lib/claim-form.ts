import type { IdentityEdit } from "../../../api/features/claims/index.ts";
import type { ClaimPageData } from "../../claims/page-data.ts";

/** `editedData` of `POST /v1/register/claim`: what the owner changed, and nothing else. */
export type ClaimEdits = Readonly<Record<string, unknown>>;

export interface ClaimForm {
  /** What is to be sent; undefined for no change. */
  edits(): ClaimEdits | undefined;
  seals(): boolean;
  /** Whether the agent may exchange its provisional key. */
  agentKeeps(): boolean;
  /** Whether the browser finds everything in form; says to its owner what is not. */
  isComplete(): boolean;
  /** While something is being signed nothing can be changed. */
  lock(isLocked: boolean): void;
}

/** The form of the claim page: counts characters, and opens what only a new prompt can change. */
export function claimForm(form: HTMLFormElement, { draft }: ClaimPageData): ClaimForm {
  const control = (name: string) =>
    form.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
  const text = (name: string) => control(name).value.trim();
  const ticked = (name: string) => (control(name) as HTMLInputElement).checked;
  const hasPrompt = () => text("systemPrompt") !== "";

  function refresh(): void {
    for (const counter of form.querySelectorAll<HTMLElement>("[data-counts]")) {
      const counted = control(counter.dataset.counts ?? "") as HTMLInputElement;
      counter.textContent = `${counted.value.length} of ${counted.maxLength} characters`;
    }
    for (const name of ["agentType", "agentDescription"]) control(name).disabled = !hasPrompt();
  }

  // Its fields are read when the owner signs; Enter in one of them must not leave the page.
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", refresh);
  refresh();

  function publicIdentity(): IdentityEdit | undefined {
    const before = draft.publicIdentity;
    const tags = text("tags")
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== "");
    const fields = { tagline: text("tagline"), bio: text("bio"), website: text("website") };
    const present = { ...fields, category: text("category") };
    const changed = Object.entries(present).filter(
      ([name, value]) => value !== (before[name as keyof typeof present] ?? ""),
    );
    const edit: Record<string, unknown> = {};
    // Null takes away what the owner emptied.
    for (const [name, value] of changed) edit[name] = value === "" ? null : value;
    if (tags.join("\n") !== (before.tags ?? []).join("\n")) {
      edit.tags = tags.length === 0 ? null : tags;
    }
    if (text("displayName") === "" && before.displayName !== undefined) edit.displayName = null;
    if (text("agentAvatarUrl") === "" && before.image !== undefined) edit.image = null;
    return Object.keys(edit).length === 0 ? undefined : edit;
  }

  function edits(): ClaimEdits | undefined {
    const { agentType, agentDescription, birthBundle, publicIdentity: before } = draft;
    const changes: Record<string, unknown> = {};
    if (hasPrompt()) {
      changes.systemPrompt = control("systemPrompt").value;
      if (text("agentType") !== agentType) changes.agentType = text("agentType");
      const description = text("agentDescription");
      if (description !== (agentDescription ?? "")) changes.agentDescription = description;
    }
    const identity = publicIdentity();
    if (identity !== undefined) changes.publicIdentity = identity;
    const displayName = text("displayName");
    if (displayName !== "" && displayName !== before.displayName) changes.displayName = displayName;
    const image = text("agentAvatarUrl");
    if (image !== "" && image !== before.image) changes.agentAvatarUrl = image;
    if (ticked("x402Support") !== (before.x402Support ?? false)) {
      changes.x402Support = ticked("x402Support");
    }
    const birth = { note: text("note"), creatorName: text("creatorName") };
    const isNoteChanged = birth.note !== (birthBundle?.note ?? "");
    if (isNoteChanged || birth.creatorName !== (birthBundle?.creatorName ?? "")) {
      changes.birthBundle = birth;
    }
    return Object.keys(changes).length === 0 ? undefined : changes;
  }

  return {
    edits,
    seals: () => ticked("seal"),
    agentKeeps: () => ticked("agentKeeps"),
    isComplete: () => {
      // The browser says nothing about a field that is folded away.
      for (const wrong of form.querySelectorAll(":invalid")) {
        wrong.closest("details")?.setAttribute("open", "");
      }
      return form.reportValidity();
    },
    lock: (isLocked) => {
      form.toggleAttribute("inert", isLocked);
    },
  };
}
