import type { AgentName, Person } from "./cast.ts";
import type { Step } from "./step.ts";
import type { World } from "./world.ts";

/** Two organizations with members of several owners. One changes its admin. */
export function organizationSteps(): Step[] {
  const ids = { harbour: 0, press: 0 };

  const found = (which: keyof typeof ids, name: string, admin: Person) => async (world: World) => {
    const signer = world.person(admin);
    const body = { name, adminAddress: signer.address };
    const answer = await world.client.sign("createOrganization", { body, signer });
    ids[which] = answer.organizationId;
  };

  /** With the signatures of the agent's owner and of the admin, where these are two people. */
  const joins =
    (which: keyof typeof ids, admin: Person, name: AgentName) => async (world: World) => {
      const { tokenId, owner } = world.agent(name);
      const path = { organizationId: ids[which] };
      const join = (role: "owner" | "admin", signer: typeof owner) =>
        world.client.sign("addOrganizationMember", { path, body: { tokenId, role }, signer });
      await join("owner", owner);
      const adminSigner = world.person(admin);
      if (adminSigner.address !== owner.address) await join("admin", adminSigner);
    };

  return [
    step(36, "rosa", "founds Harbour Commons", found("harbour", "Harbour Commons", "rosa")),
    step(36, "meridian", "joins Harbour Commons", joins("harbour", "rosa", "meridian")),
    step(35, "sextant", "joins Harbour Commons by invitation", joins("harbour", "rosa", "sextant")),
    step(34, "tomas", "founds Fireside Press", found("press", "Fireside Press", "tomas")),
    step(34, "quill", "joins Fireside Press", joins("press", "tomas", "quill")),
    step(34, "ember", "joins Fireside Press", joins("press", "tomas", "ember")),
    step(33, "bramble", "joins Fireside Press by invitation", joins("press", "tomas", "bramble")),
    step(8, "yuki", "takes over Harbour Commons from rosa", async ({ client, person }) => {
      const path = { organizationId: ids.harbour };
      const next = person("yuki");
      const body = { newAdmin: next.address };
      await client.sign("changeOrganizationAdmin", { path, body, signer: person("rosa") });
      await client.sign("acceptOrganizationAdmin", { path, signer: next });
    }),
    step(0, "wren", "is invited to Harbour Commons", ({ client, agent, person }) => {
      const path = { organizationId: ids.harbour };
      const body = { tokenId: agent("wren").tokenId, role: "admin" as const };
      return client.sign("addOrganizationMember", { path, body, signer: person("yuki") });
    }),
  ];
}

function step(daysAgo: number, subject: string, title: string, run: Step["run"]): Step {
  return { daysAgo, subject, title, run };
}
