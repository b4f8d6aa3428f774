import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 8.22","description":"","frontmatter":{"title":"Requirement 8.22","prev":false,"next":false},"headers":[],"relativePath":"requirements/8.22.md","filePath":"site/pages/requirements/8.22.md"}');
const _sfc_main = { name: "requirements/8.22.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-822" tabindex="-1">Requirement 8.22 <a class="header-anchor" href="#requirement-822" aria-label="Permalink to &quot;Requirement 8.22&quot;">​</a></h1><blockquote><p>A test event SHOULD NOT change what is done for a live payment with the same id.</p></blockquote><p>SHOULD · Source: Interface 2.2, rule 4: <code>livemode</code> distinguishes them; that a test payment can have the id of a live one is neither stated nor excluded</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/events/test-refund-with-the-id-of-a-live-payment"><code>test-refund-with-the-id-of-a-live-payment</code></a></td><td>A live payment is lost or reversed by an event of the test mode, if the two ever have the same id.</td></tr><tr><td><a href="/hookproof/cases/events/test-completion-with-the-id-of-a-live-payment"><code>test-completion-with-the-id-of-a-live-payment</code></a></td><td>A live payment is lost or reversed by an event of the test mode, if the two ever have the same id.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/8.22.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _8_22 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _8_22 as default
};
