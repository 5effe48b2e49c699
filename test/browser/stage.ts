import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type Service, startService } from "../fixtures/service.ts";
import { launchBrowser, type OpenPage, openPage } from "./browser.ts";
import type { TestWallet } from "./wallet.ts";

/**
 * The service and the browser that every page's tests share: starting them takes longer than most
 * tests do.
 */
export interface Stage {
  readonly service: Service;
  /**
   * Opens a page of the service in a fresh profile, by path or whole URL. It is closed after the
   * test.
   */
  open(url: string, ...wallets: TestWallet[]): Promise<Page>;
  /** Closes it earlier. */
  close(): Promise<void>;
}

/** Sets the stage for the calling file. A test fails when its page reported an error. */
export function setStage(): Stage {
  let service: Service;
  let browser: Browser;
  let opened: OpenPage | undefined;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function close(): Promise<void> {
    const { complaints } = opened ?? { complaints: [] };
    await opened?.close();
    opened = undefined;
    expect(complaints).toEqual([]);
  }
  afterEach(close);

  return {
    get service() {
      return service;
    },
    async open(url, ...wallets) {
      opened = await openPage(browser, new URL(url, service.url).href, wallets);
      return opened.page;
    },
    close,
  };
}
