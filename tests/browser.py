"""A headless Chromium for tests, the system's own, cut off from every other machine."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

_SWITCHES = (
    "--headless",
    # Chromium's sandbox refuses to run as root, and the pages shown are ours.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--window-size=1400,900",
    # No name but localhost resolves: a page that needs another machine shows it.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


class BrowserMissing(Exception):
    """Chromium or its driver is not installed; the text says which."""


@contextlib.contextmanager
def chromium(profile: Path) -> Iterator[Chrome]:
    """Yield a browser with the empty folder `profile` as its profile, and close it.

    Raises:
        BrowserMissing: chromium or chromedriver is not on the path.
    """
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver:
        raise BrowserMissing("chromium and chromedriver are not both installed (Debian: chromium chromium-driver)")
    options = ChromeOptions()
    options.binary_location = browser
    for switch in (*_SWITCHES, f"--user-data-dir={profile}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = Chrome(options=options, service=Service(executable_path=driver))
    try:
        yield chrome
    finally:
        chrome.quit()
