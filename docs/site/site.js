// Boxes that scroll get keyboard focus.
const reachable = () => document.querySelectorAll(".md-typeset pre > code, .md-typeset__scrollwrap, .md-typeset .highlight pre").forEach((each) => { each.tabIndex = 0; });
reachable();
// The theme wraps tables later.
new MutationObserver(reachable).observe(document.querySelector(".md-content"), { childList: true, subtree: true });
