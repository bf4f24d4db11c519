from urllib.parse import urlsplit

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tests.serving import Service


@pytest.mark.browser
def test_first_query_is_answered_and_no_other_machine_is_asked(browser: Chrome, service: Service) -> None:
    wait = WebDriverWait(browser, 20)
    browser.get(f"{service.url}/ide")
    wait.until(lambda page: page.find_element(By.CSS_SELECTOR, ".graphiql-execute-button")).click()
    wait.until(lambda page: '"verdict"' in page.find_element(By.CSS_SELECTOR, ".result-window").text)
    wait.until(lambda page: page.find_element(By.CSS_SELECTOR, '[aria-label="Show Documentation Explorer"]')).click()
    wait.until(lambda page: "Query" in page.find_element(By.CSS_SELECTOR, ".graphiql-doc-explorer").text)
    wait.until(lambda page: page.find_element(By.CSS_SELECTOR, '[aria-label="Open settings dialog"]')).click()
    wait.until(lambda page: page.find_element(By.CSS_SELECTOR, ".graphiql-dialog"))

    # No line is too long for the editor, once it is laid out.
    bar = browser.find_element(By.CSS_SELECTOR, ".graphiql-query-editor .CodeMirror-hscrollbar")
    wait.until(lambda _: bar.value_of_css_property("display") == "none")

    # The view holds the lines in sight only, so not the whole answer.
    shown = browser.find_element(By.CSS_SELECTOR, ".result-window").text
    loaded = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert '"verdict": "DEGRADED"' in shown
    assert '"id": "K001"' in shown
    assert {f"{urlsplit(name).scheme}://{urlsplit(name).netloc}" for name in loaded} == {service.url}
    assert browser.get_log("browser") == []
