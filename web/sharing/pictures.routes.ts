import { basename } from "node:path";
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ProfileService } from "../../api/features/profile/index.ts";
import { aboutValidSeal } from "../../api/platform/http/caching.ts";
import { contentTag, isHeld } from "../../api/platform/http/conditional.ts";
import type { AppEnv } from "../../api/platform/http/env.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { AGENT_READ_ERRORS, createRouter, errorResponses } from "../../api/platform/http/router.ts";
import { TypedAgentSchema } from "../../api/platform/http/schemas.ts";
import type { SoulRef } from "../../api/soul/soul-ref.ts";
import { operations } from "../operation-rules.ts";
import type { PageKit } from "../ui/kit.ts";
import { inWords } from "../ui/text.ts";
import { DIGITS_ANSWER, leadFromDigits } from "../ui/typed-digits.ts";
import { badgeSvg } from "./badge.ts";
import { agentCardSvg, CARD, serviceCardSvg } from "./card.ts";
import type { Raster } from "./raster.ts";
import { pictureStanding } from "./standing.ts";

const ofAgent = { params: z.object({ name: TypedAgentSchema }) };
const answers = {
  200: { description: "The picture." },
  304: { description: "The caller holds it already." },
};

const getAgentCard = createRoute({
  method: "get",
  path: "/agents/{name}/card.png",
  operationId: "getAgentCard",
  request: ofAgent,
  responses: {
    ...answers,
    ...DIGITS_ANSWER,
    ...errorResponses(...AGENT_READ_ERRORS, "SERVICE_UNAVAILABLE"),
  },
});

const getAgentBadge = createRoute({
  method: "get",
  path: "/agents/{name}/badge.svg",
  operationId: "getAgentBadge",
  request: ofAgent,
  responses: { ...answers, ...DIGITS_ANSWER, ...errorResponses(...AGENT_READ_ERRORS) },
});

const ofService = <Path extends string, Id extends string>(path: Path, operationId: Id) =>
  createRoute({
    method: "get",
    path,
    operationId,
    responses: { ...answers, ...errorResponses("SERVICE_UNAVAILABLE") },
  });

const getServiceCard = ofService("/card.png", "getServiceCard");
const getFavicon = ofService("/favicon.ico", "getFavicon");
const getTouchIcon = ofService("/apple-touch-icon.png", "getTouchIcon");

const FAVICON_SIZE = 48;
const TOUCH_ICON_SIZE = 180;

/** The pictures that links to pages show, badges, and the icons that browsers ask of every site. */
export function pictureRoutes({
  pages,
  profiles,
  raster,
}: {
  readonly pages: Pick<PageKit, "assets" | "network">;
  readonly profiles: Pick<ProfileService, "profile">;
  readonly raster: Raster;
}) {
  const icon = () =>
    new TextDecoder().decode(pages.assets.find(basename(pages.assets.icon))?.bytes);

  /** Tagged by its drawing, so that who holds the picture is answered before anything is drawn. */
  async function picture(c: Context<AppEnv>, svg: string, width: number, isIcon = false) {
    const tag = contentTag(Buffer.from(`${width}:${svg}`));
    c.header("ETag", tag);
    if (isHeld(c, tag)) return c.body(null, 304);
    const png = await raster.png(svg, width);
    if (isIcon) return c.body(icoOf(png, width), 200, { "Content-Type": "image/x-icon" });
    return c.body(png, 200, { "Content-Type": "image/png" });
  }
  /** The agent that a picture is asked of. */
  async function described(c: Context<AppEnv>, name: SoulRef) {
    const { at, value: profile } = await profiles.profile(name);
    reflectsBlock(c, at);
    if (profile.soulValidity.status === "valid") aboutValidSeal(c);
    return profile;
  }

  return createRouter(operations)
    .openapi(getAgentCard, async (c) => {
      const { name } = c.req.valid("param");
      if (name.kind !== "name") return leadFromDigits(c);
      const profile = await described(c, name);
      const svg = agentCardSvg({
        agentName: profile.agentName,
        agentType: inWords(profile.agentType).toLowerCase(),
        soulHash: profile.soulHash,
        tokenId: profile.tokenId,
        passportId: profile.erc8004AgentId,
        network: pages.network.name,
        standing: pictureStanding(profile),
        asOf: profile.soulValidity.lastChecked,
      });
      return picture(c, svg, CARD.width);
    })
    .openapi(getAgentBadge, async (c) => {
      const { name } = c.req.valid("param");
      if (name.kind !== "name") return leadFromDigits(c);
      const profile = await described(c, name);
      const svg = badgeSvg({
        agentName: profile.agentName,
        standing: pictureStanding(profile),
        asOf: profile.soulValidity.lastChecked,
      });
      return c.body(svg, 200, { "Content-Type": "image/svg+xml" });
    })
    .openapi(getServiceCard, (c) => picture(c, serviceCardSvg(icon()), CARD.width))
    .openapi(getTouchIcon, (c) => picture(c, icon(), TOUCH_ICON_SIZE))
    .openapi(getFavicon, (c) => picture(c, icon(), FAVICON_SIZE, true));
}

/** An icon file (ICO) of one square PNG: a list of one entry before the picture. */
function icoOf(png: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return new Uint8Array(Buffer.concat([head, png]));
}
