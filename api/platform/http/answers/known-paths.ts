import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import { LRUCache } from "lru-cache";

const MAX_PATHS = 5_000;
/** Longer paths are rare, and are searched each time. */
const MAX_PATH_LENGTH = 200;

/**
 * Finds routes as the library's `TrieRouter` does, and remembers what it found for the paths that were asked for last. The library's
 * faster `RegExpRouter` takes no path with a parameter where another has a word, as most of this service have.
 */
export class KnownPathsRouter<T> implements Router<T> {
  readonly name = "KnownPathsRouter";
  readonly #routes = new TrieRouter<T>();
  readonly #known = new LRUCache<string, Result<T>>({ max: MAX_PATHS });

  add(method: string, path: string, handler: T): void {
    this.#known.clear();
    this.#routes.add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    const key = `${method} ${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = this.#routes.match(method, path);
    if (path.length <= MAX_PATH_LENGTH) this.#known.set(key, found);
    return found;
  }
}
