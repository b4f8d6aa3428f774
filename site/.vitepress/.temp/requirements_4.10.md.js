import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 4.10","description":"","frontmatter":{"title":"Requirement 4.10","prev":false,"next":false},"headers":[],"relativePath":"requirements/4.10.md","filePath":"site/pages/requirements/4.10.md"}');
const _sfc_main = { name: "requirements/4.10.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-410" tabindex="-1">Requirement 4.10 <a class="header-anchor" href="#requirement-410" aria-label="Permalink to &quot;Requirement 4.10&quot;">​</a></h1><blockquote><p>A receiver MUST accept a valid delivery regardless of the <code>timestamp</code> in its body.</p></blockquote><p>MUST · Source: Interface 4.7: an event is sent again at any time; Interface 5.3, rule 4, compares <code>t</code></p><p><strong>Prevents:</strong> a payment is refused because the service sends its event late or again.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/body-bytes/timestamp-an-hour-ago"><code>timestamp-an-hour-ago</code></a></td><td>A payment is lost when the service sends its event late or again, because the receiver checks the wrong time.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/timestamp-a-day-ago"><code>timestamp-a-day-ago</code></a></td><td>A payment is lost when the service sends its event late or again, because the receiver checks the wrong time.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/timestamp-a-year-ago"><code>timestamp-a-year-ago</code></a></td><td>A payment is lost when the service sends its event late or again, because the receiver checks the wrong time.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/timestamp-ahead"><code>timestamp-ahead</code></a></td><td>Payments are lost while the clock of the service is ahead of yours.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/late-events-are-fulfilled"><code>late-events-are-fulfilled</code></a></td><td>A payment is lost when the service sends its event late or again, because the receiver checks the wrong time.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/4.10.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _4_10 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _4_10 as default
};
