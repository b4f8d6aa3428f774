import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"4. 400 or 401","description":"","frontmatter":{},"headers":[],"relativePath":"docs/decisions/0004-400-and-401.md","filePath":"docs/decisions/0004-400-and-401.md"}');
const _sfc_main = { name: "docs/decisions/0004-400-and-401.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="4-400-or-401" tabindex="-1">4. 400 or 401 <a class="header-anchor" href="#4-400-or-401" aria-label="Permalink to &quot;4. 400 or 401&quot;">​</a></h1><p>Status: accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p><a href="/hookproof/docs/interface#53-webhook-signatures">Interface 5.3</a>, rule 6 names the statuses of a refusal: 400 if <code>t</code> or <code>v1</code> is missing, 400 if <code>t</code> is stale, 401 if the signature is wrong. A delivery can have two defects at once, and frameworks refuse some requests by themselves.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ol><li>400 means that the header cannot be judged, or is out of date. 401 means that a signature was computed and does not match.</li><li>The reference receiver reads the header, checks the time, and computes the signature last. A stale delivery gets 400 whether or not it is forged, and costs no hash of the body; <code>t</code> and the clock are no secret.</li><li>A case accepts every status for which an order of checks exists that the interface allows. Stale and forged: 400 or 401. A <code>v1</code> that is not hexadecimal: 400 or 401. A body that a parser in front of the verifier refuses: 400, 401 or 422.</li><li>403, 404, 422 for the signature, 429 and 5xx are no refusals of a forgery: they do not say that the signature is wrong, and the service, or the developer who debugs it, looks in the wrong place.</li></ol><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Two correct receivers may answer the same delivery differently, and both pass. The statuses that the interface names for one defect alone are required.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/decisions/0004-400-and-401.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0004400And401 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0004400And401 as default
};
