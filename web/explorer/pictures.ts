import { LRUCache } from "lru-cache";
import { soulStanding } from "../../api/soul/standing.ts";
import type { NamedSoul } from "./records.ts";

/** The chain as pictures of certificates are read from it. */
export interface CertificateDrawings {
  /** An SVG. @throws ApiError CHAIN_UNAVAILABLE */
  drawing(tokenId: bigint, block: bigint): Promise<string>;
}

/** What a certificate shows that changes. Name and passport never do. */
type Face = Pick<NamedSoul, "tokenId" | "genesisStatus" | "soulValidity"> & {
  readonly epoch: number;
  readonly soulHash: string | null;
};

/** Pictures of certificates, as their contract draws them. */
export interface CertificatePictures {
  /**
   * An SVG: untrusted, for `<img>` alone.
   *
   * @param block The block of which `face` is known.
   * @throws ApiError CHAIN_UNAVAILABLE
   */
  picture(face: Face, block: bigint): Promise<string>;
}

/** Pictures that are kept, of some 10 KB each. */
const MAX_KEPT = 256;

/**
 * Keeps a picture by what it shows, and reads it in the block in which the index knows that: the
 * picture is then never of another standing than its key.
 */
export function keptPictures({ drawing }: CertificateDrawings): CertificatePictures {
  const kept = new LRUCache<string, Promise<string>>({ max: MAX_KEPT });
  return {
    picture(face, block) {
      const { tokenId, epoch, soulHash } = face;
      const key = [tokenId, epoch, soulStanding(face), soulHash].join(":");
      const known = kept.get(key);
      if (known !== undefined) return known;
      const drawn = drawing(tokenId, block);
      kept.set(key, drawn);
      // What failed is tried again by the next request.
      drawn.catch(() => kept.delete(key));
      return drawn;
    },
  };
}
